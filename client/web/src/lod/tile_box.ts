// The space that a tile's ground takes on a plane: proto/geometry/tile_box.h.
import {Vector, add, lengthOf, scale, subtract} from '../space/vector';
import type {Ball} from './frustum';
import {Grid, tileSizeM} from './grid';
import type {TileKey} from './tile_key';

export interface Box {
  readonly min: Vector;
  readonly max: Vector;
}

// Returns the position of the tile's north-west corner.
export function cornerOf(grid: Grid, key: TileKey): {x: number; y: number} {
  const side = tileSizeM(grid, key.level);
  return {
    x: (key.x - grid.originX * 2 ** key.level) * side,
    y: (key.y - grid.originY * 2 ** key.level) * side,
  };
}

// Returns the box over a tile's square, between two heights.
export function boxOf(grid: Grid, key: TileKey, minHeightM: number, maxHeightM: number): Box {
  const side = tileSizeM(grid, key.level);
  const {x, y} = cornerOf(grid, key);
  return {min: {x, y, z: minHeightM}, max: {x: x + side, y: y + side, z: maxHeightM}};
}

function beyond(value: number, min: number, max: number): number {
  return Math.max(min - value, value - max, 0);
}

// Returns the distance from a point to the nearest point of a box; 0 inside.
export function distanceTo(box: Box, point: Vector): number {
  return lengthOf({
    x: beyond(point.x, box.min.x, box.max.x),
    y: beyond(point.y, box.min.y, box.max.y),
    z: beyond(point.z, box.min.z, box.max.z),
  });
}

// The same without heights.
export function horizontalDistanceTo(box: Box, point: Vector): number {
  return lengthOf({
    x: beyond(point.x, box.min.x, box.max.x),
    y: beyond(point.y, box.min.y, box.max.y),
    z: 0,
  });
}

// Returns the ball around a box.
export function ballOf(box: Box): Ball {
  return {
    middle: scale(0.5, add(box.min, box.max)),
    radiusM: 0.5 * lengthOf(subtract(box.max, box.min)),
  };
}
