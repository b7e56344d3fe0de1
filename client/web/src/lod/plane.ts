// The infinite plane: proto/geometry/surface.h.
import type {Vector} from '../space/vector';
import {Grid, cellSizeM, tileSizeM} from './grid';
import type {Heights, Sight, Surface, TilePlace, Viewer} from './surface';
import {ballOf, boxOf, distanceTo, horizontalDistanceTo} from './tile_box';
import {TileKey, maxTile, parentSquaresAround, squaresAround} from './tile_key';

export class Plane implements Surface {
  constructor(readonly grid: Grid) {}

  // Coordinates have the same limits at every level, so coarse tiles far out have no children.
  has({face, level, x, y}: TileKey): boolean {
    return face === 0 && level >= 0 && level < this.grid.levels && x >= -maxTile && x < maxTile &&
      y >= -maxTile && y < maxTile;
  }

  touchingOf(key: TileKey): TileKey[] {
    return squaresAround(key);
  }

  parentsAround(key: TileKey): TileKey[] {
    return parentSquaresAround(key);
  }

  rootsWithin(point: Vector, distanceM: number): TileKey[] {
    const {grid} = this;
    const side = tileSizeM(grid, 0);
    const tileAt = (metres: number, origin: number): number =>
      Math.min(Math.max(Math.floor(metres / side) + origin, -maxTile), maxTile - 1);
    const roots: TileKey[] = [];
    const lastX = tileAt(point.x + distanceM, grid.originX);
    const lastY = tileAt(point.y + distanceM, grid.originY);
    for (let y = tileAt(point.y - distanceM, grid.originY); y <= lastY; ++y) {
      for (let x = tileAt(point.x - distanceM, grid.originX); x <= lastX; ++x) {
        const root = {face: 0, level: 0, x, y};
        if (horizontalDistanceTo(boxOf(grid, root, 0, 0), point) <= distanceM) roots.push(root);
      }
    }
    return roots;
  }

  upAt(): Vector {
    return {x: 0, y: 0, z: 1};
  }

  northAt(): Vector {
    return {x: 0, y: -1, z: 0};
  }

  heightOf(point: Vector): number {
    return point.z;
  }

  tileUnder(point: Vector, level: number): TilePlace {
    const {grid} = this;
    const side = tileSizeM(grid, level);
    const cell = cellSizeM(grid, level);
    const [x, y] = [Math.floor(point.x / side), Math.floor(point.y / side)];
    const key = {
      face: 0, level, x: x + grid.originX * 2 ** level, y: y + grid.originY * 2 ** level,
    };
    return {key, column: (point.x - x * side) / cell, row: (point.y - y * side) / cell};
  }

  sightOf(key: TileKey, heights: Heights, viewer: Viewer): Sight {
    const box = boxOf(this.grid, key, heights.min, heights.max);
    return {
      distanceM: distanceTo(box, viewer.position),
      horizontalM: horizontalDistanceTo(box, viewer.position),
      mayShow: viewer.frustum.mayShow(ballOf(box)),
    };
  }

  maySee(key: TileKey, heights: Heights, viewer: Viewer): boolean {
    return viewer.frustum.mayShowBox(boxOf(this.grid, key, heights.min, heights.max));
  }
}
