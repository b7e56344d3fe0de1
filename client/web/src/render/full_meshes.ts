// Which tiles are drawn with full meshes: those nearest to the eye.

// A mesh has 131,000 triangles.
const maxNear = 12;
// The distance of a near tile, in sides of the tile. Farther ones have cells of a few pixels.
const nearSides = 0.5;

// Returns the names of the near ones among tiles. `sides` is a tile's distance from the eye, in sides of the tile.
export function nearestOf(tiles: readonly {readonly name: string; readonly sides: number}[]): ReadonlySet<string> {
  const near = tiles.filter(({sides}) => sides < nearSides).sort((a, b) => a.sides - b.sides);
  return new Set(near.slice(0, maxNear).map(({name}) => name));
}
