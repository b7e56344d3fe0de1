// The drawn ground as numbers: values at a place, and where a ray meets it.
import {fromHalf} from '../codec/half_float';
import {shadingNumbers} from '../codec/surface';
import {cellSizeM} from '../lod/grid';
import type {Surface, TilePlace} from '../lod/surface';
import {nameOf, tileCells, tileVertices} from '../lod/tile_key';
import type {Vector} from '../space/vector';
import type {Terrain, Tile} from './terrain';

// The values at a point of the ground.
export interface GroundPoint {
  readonly tile: Tile;
  // The height above the datum of the ground, or of the water on it.
  readonly surfaceM: number;
  // The depth of standing water; 0 where it is dry.
  readonly depthM: number;
  readonly slopeDeg: number;
  // The area that drains through the point, in square kilometres.
  readonly catchmentKm2: number;
  // The index of the nearest vertex, for layers over the ground.
  readonly vertex: number;
}

export class Ground {
  private drawn = new Set<string>();
  private levels: number[] = [];

  // `stride` returns the stride of a drawn tile's mesh.
  constructor(
    private readonly terrain: Terrain, private readonly surface: () => Surface,
    private readonly stride: (name: string) => number) {}

  // Takes the set of tiles that is drawn now.
  refresh(): void {
    this.drawn = new Set(this.terrain.drawable.tiles.map(nameOf));
    const finest = this.terrain.drawable.tiles.reduce((max, {level}) => Math.max(max, level), -1);
    this.levels = Array.from({length: finest + 1}, (_, n) => finest - n);
  }

  // The drawn tile under a point. Outside the picture, where ground may be missing: the finest that is loaded.
  private under(point: Vector): {tile: Tile; at: TilePlace} | undefined {
    return this.find(point, (name) => this.drawn.has(name)) ?? this.find(point, () => true);
  }

  private find(point: Vector, may: (name: string) => boolean): {tile: Tile; at: TilePlace} | undefined {
    const surface = this.surface();
    for (const level of this.levels) {
      const at = surface.tileUnder(point, level);
      const name = nameOf(at.key);
      const tile = may(name) ? this.terrain.tile(name) : undefined;
      if (tile) return {tile, at: {...at, column: onTile(at.column), row: onTile(at.row)}};
    }
    return undefined;
  }

  // Returns the height of the drawn mesh under a point; undefined if nothing is drawn there.
  heightUnder(point: Vector): number | undefined {
    const found = this.under(point);
    return found && onMesh(found.tile.surface.heights, this.stride(found.tile.name), found.at.column, found.at.row);
  }

  pointUnder(point: Vector): GroundPoint | undefined {
    const found = this.under(point);
    if (!found) return undefined;
    const {tile, at: {column, row}} = found;
    const shading = (part: number): number => bilinear(
      (k) => fromHalf(tile.surface.shading[shadingNumbers * k + part]!), column, row);
    const [east, south] = [shading(0), shading(1)];
    const flat = Math.min(Math.hypot(east, south), 1);
    const cellKm = cellSizeM(this.surface().grid, tile.key.level) / 1000;
    return {
      tile,
      surfaceM: bilinear((k) => tile.surface.heights[k]!, column, row),
      depthM: Math.max(shading(2), 0),
      slopeDeg: Math.asin(flat) * 180 / Math.PI,
      catchmentKm2: (2 ** shading(3) - 1) * cellKm * cellKm,
      vertex: Math.round(row) * tileVertices + Math.round(column),
    };
  }

  // Returns where a ray first meets the ground, within `farthestM`; undefined if it meets none.
  hit(from: Vector, direction: Vector, farthestM: number): Vector | undefined {
    const surface = this.surface();
    const at = (t: number): Vector => ({
      x: from.x + t * direction.x, y: from.y + t * direction.y, z: from.z + t * direction.z,
    });
    const above = (t: number): number => {
      const point = at(t);
      const height = this.heightUnder(point);
      return height === undefined ? Infinity : surface.heightOf(point) - height;
    };
    let near = 0;
    let clearance = above(0);
    for (let step = 0; step < 400 && near < farthestM; ++step) {
      // Most slopes are less than 45 degrees, so a step of half the clearance rarely passes through a ridge.
      const stride = Math.max(Number.isFinite(clearance) ? 0.5 * clearance : 0, 0.2 + 0.004 * near);
      const far = Math.min(near + stride, farthestM);
      const next = above(far);
      if (next <= 0) return at(bisect(above, near, far));
      near = far;
      clearance = next;
    }
    return undefined;
  }
}

// Clamps a vertex that rounding has put off the tile.
function onTile(vertex: number): number {
  return Math.min(Math.max(vertex, 0), tileCells);
}

// Finds the ground between `near`, which is above it, and `far`, which is not.
function bisect(above: (t: number) => number, near: number, far: number): number {
  for (let n = 0; n < 24; ++n) {
    const middle = 0.5 * (near + far);
    if (above(middle) > 0) near = middle;
    else far = middle;
  }
  return far;
}

// Returns the height on the triangles of groundGeometry.
function onMesh(heights: Float32Array, stride: number, column: number, row: number): number {
  const cells = tileCells / stride;
  const x = Math.min(Math.floor(column / stride), cells - 1);
  const y = Math.min(Math.floor(row / stride), cells - 1);
  const [u, v] = [column / stride - x, row / stride - y];
  const k = stride * (y * tileVertices + x);
  const [northEast, southWest] = [heights[k + stride]!, heights[k + stride * tileVertices]!];
  if (u + v <= 1) {
    const northWest = heights[k]!;
    return northWest + u * (northEast - northWest) + v * (southWest - northWest);
  }
  const southEast = heights[k + stride * tileVertices + stride]!;
  return southEast + (1 - u) * (southWest - southEast) + (1 - v) * (northEast - southEast);
}

function bilinear(value: (vertex: number) => number, column: number, row: number): number {
  const x = Math.min(Math.floor(column), tileCells - 1);
  const y = Math.min(Math.floor(row), tileCells - 1);
  const [u, v] = [column - x, row - y];
  const k = y * tileVertices + x;
  const north = value(k) * (1 - u) + value(k + 1) * u;
  const south = value(k + tileVertices) * (1 - u) + value(k + tileVertices + 1) * u;
  return north * (1 - v) + south * v;
}
