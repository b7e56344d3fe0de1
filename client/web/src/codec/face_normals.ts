// Turns normals on the edges of a planet's faces to the axes that all others have. Those are the columns of their face,
// and the direction at a right angle. On the western and eastern edge of a face normals are given at a right angle to
// the edge and along it, so that both faces have the same values (server/tile/layers/tile_ground.h).
import {TileKey, tileVertices} from '../lod/tile_key';
import {toCube} from '../space/cube_sphere';

type Level = readonly [number, number];
const last = tileVertices - 1;

// Calls `change` for each vertex on such an edge, with the rotation there of a normal's eastward and southward part.
export function alongColumns(
  {level, x, y}: TileKey, change: (vertex: number, turn: (level: Level) => Level) => void): void {
  const tiles = 2 ** level;
  const columns = [...(x === 0 ? [0] : []), ...(x === tiles - 1 ? [last] : [])];
  for (const column of columns) {
    const u = column === 0 ? -1 : 1;
    for (let row = 0; row <= last; ++row) {
      const v = toCube((y + row / last) / tiles);
      // The corners of a face have normals along its columns.
      if (Math.abs(v) === 1) continue;
      // Cosine and sine of the angle between columns and rows.
      const cos = -u * v / Math.sqrt((1 + u * u) * (1 + v * v));
      const sin = Math.sqrt(1 - cos * cos);
      change(row * tileVertices + column,
        ([east, south]) => [east * sin + south * cos, south * sin - east * cos]);
    }
  }
}
