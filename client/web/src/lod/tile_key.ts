// Names a tile: column and row of a level of a face (a plane has only face 0). Both stay below 2^41, so numbers represent
// them exactly; 32-bit operators would not.
export interface TileKey {
  readonly face: number;
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

// Cells, and vertices, on a side of a tile.
export const tileCells = 256;
export const tileVertices = tileCells + 1;

// Tiles of every level reach from -maxTile to maxTile - 1.
export const maxTile = 2 ** 40;

// Returns the key as a string, for maps.
export function nameOf(key: TileKey): string {
  return `${key.face}/${key.level}/${key.x}/${key.y}`;
}

// Returns the tile of a coarser level (or of the same) that covers this one.
export function ancestorOf(key: TileKey, level: number): TileKey {
  const scale = 2 ** (key.level - level);
  return {face: key.face, level, x: Math.floor(key.x / scale), y: Math.floor(key.y / scale)};
}

export function parentOf(key: TileKey): TileKey {
  return ancestorOf(key, key.level - 1);
}

// Returns two by two tiles, row by row; the given tile is the north-west one.
function quad(key: TileKey): TileKey[] {
  const {x, y} = key;
  return [key, {...key, x: x + 1}, {...key, y: y + 1}, {...key, x: x + 1, y: y + 1}];
}

// Returns the four tiles of the next finer level that cover this one, row by row.
export function childrenOf(key: TileKey): TileKey[] {
  return quad({face: key.face, level: key.level + 1, x: 2 * key.x, y: 2 * key.y});
}

// Returns the eight squares of the same level around this one, row by row from the north-west. They are tiles, unless
// they lie beyond a side of a planet's face.
export function squaresAround(key: TileKey): TileKey[] {
  const squares: TileKey[] = [];
  for (let south = -1; south <= 1; ++south) {
    for (let east = -1; east <= 1; ++east) {
      if (east === 0 && south === 0) continue;
      squares.push({...key, x: key.x + east, y: key.y + south});
    }
  }
  return squares;
}

// Returns the four squares of the next coarser level that cover this one and all around it, row by row.
export function parentSquaresAround(key: TileKey): TileKey[] {
  const [x, y] = [Math.floor((key.x - 1) / 2), Math.floor((key.y - 1) / 2)];
  return quad({face: key.face, level: key.level - 1, x, y});
}

// Orders keys by face, level, column and row.
export function compareKeys(a: TileKey, b: TileKey): number {
  return a.face - b.face || a.level - b.level || a.x - b.x || a.y - b.y;
}
