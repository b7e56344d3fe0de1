// The space that a tile's ground takes, and how it lies to a view: proto/lod/tile_box.h.
import {TileKey, tileCells} from './tile_key';
import {Vector, View, add, cross, dot, lengthOf, scale, subtract, unit} from './view';

// How a world is cut into levels. Positions are metres from the north-west corner of the level-0 tile
// (originX, originY), so that they stay exact however far away that is.
export interface Grid {
  readonly cellSizeM: number;
  readonly levels: number;
  readonly originX: number;
  readonly originY: number;
}

export function cellSizeM(grid: Grid, level: number): number {
  return grid.cellSizeM * 2 ** -level;
}

export function tileSizeM(grid: Grid, level: number): number {
  return cellSizeM(grid, level) * tileCells;
}

export interface Box {
  readonly least: Vector;
  readonly most: Vector;
}

// Where the tile's north-west corner lies.
export function cornerOf(grid: Grid, key: TileKey): {x: number; y: number} {
  const side = tileSizeM(grid, key.level);
  return {
    x: (key.x - grid.originX * 2 ** key.level) * side,
    y: (key.y - grid.originY * 2 ** key.level) * side,
  };
}

// The box over a tile's square, between two heights.
export function boxOf(grid: Grid, key: TileKey, leastHeightM: number, mostHeightM: number): Box {
  const side = tileSizeM(grid, key.level);
  const {x, y} = cornerOf(grid, key);
  return {least: {x, y, z: leastHeightM}, most: {x: x + side, y: y + side, z: mostHeightM}};
}

function beyond(value: number, least: number, most: number): number {
  return Math.max(least - value, value - most, 0);
}

// From the point to the nearest point of the box; 0 inside.
export function distanceTo(box: Box, point: Vector): number {
  return lengthOf({
    x: beyond(point.x, box.least.x, box.most.x),
    y: beyond(point.y, box.least.y, box.most.y),
    z: beyond(point.z, box.least.z, box.most.z),
  });
}

// The same without heights.
export function horizontalDistanceTo(box: Box, point: Vector): number {
  return lengthOf({
    x: beyond(point.x, box.least.x, box.most.x),
    y: beyond(point.y, box.least.y, box.most.y),
    z: 0,
  });
}

// The pyramid that a view shows.
export class Frustum {
  private readonly position: Vector;
  private readonly forward: Vector;
  // Pointing inward from the left, right, upper and lower side.
  private readonly normals: Vector[];

  constructor(view: View) {
    this.position = view.position;
    this.forward = unit(view.direction);
    const upHint = Math.abs(this.forward.z) < 0.999 ? {x: 0, y: 0, z: 1} : {x: 0, y: -1, z: 0};
    const right = unit(cross(this.forward, upHint));
    const up = cross(right, this.forward);
    const upTangent = Math.tan(view.verticalFovDeg * Math.PI / 360);
    const rightTangent = upTangent * view.aspect;
    this.normals = [
      unit(add(scale(rightTangent, this.forward), right)),
      unit(subtract(scale(rightTangent, this.forward), right)),
      unit(add(scale(upTangent, this.forward), up)),
      unit(subtract(scale(upTangent, this.forward), up)),
    ];
  }

  // Whether the ball around the box reaches into the pyramid: never false for what can be seen.
  mayShow(box: Box): boolean {
    const middle = subtract(scale(0.5, add(box.least, box.most)), this.position);
    const radius = 0.5 * lengthOf(subtract(box.most, box.least));
    if (dot(middle, this.forward) < -radius) return false;
    return this.normals.every((normal) => dot(middle, normal) >= -radius);
  }
}
