// The surface that a world's ground lies on: proto/lod/surface.h. It has the differences between planes and planets:
// which tiles touch, where they lie in space, and which are visible.
import type {Vector} from '../space/vector';
import {CubeSphere} from './cube_sphere';
import {Frustum} from './frustum';
import type {Grid} from './grid';
import {Plane} from './plane';
import type {TileKey} from './tile_key';
import type {View} from './view';

// In metres above the datum.
export interface Heights {
  readonly min: number;
  readonly max: number;
}

// The viewer of tiles.
export interface Viewer {
  readonly position: Vector;
  readonly frustum: Frustum;
  // The lowest ground of the world. While it is absent, ground hides nothing.
  readonly lowestM: number | undefined;
}

// A tile's ground relative to a viewer.
export interface Sight {
  // To the nearest point of the space that the ground takes; 0 inside.
  readonly distanceM: number;
  // The same along the datum, for any heights.
  readonly horizontalM: number;
  // Whether the picture may show it: never false for a visible tile.
  readonly mayShow: boolean;
}

// A place on a tile, in its cells from its north-west corner.
export interface TilePlace {
  readonly key: TileKey;
  readonly column: number;
  readonly row: number;
}

export interface Surface {
  readonly grid: Grid;
  // Whether the world has the tile.
  has(key: TileKey): boolean;
  // The tiles of the same level that touch one, by an edge or a corner; at a corner of a planet's face there is none in
  // that direction.
  touchingOf(key: TileKey): TileKey[];
  // The tiles of the next coarser level that cover a tile and all that touch it. The key must not be of level 0.
  parentsAround(key: TileKey): TileKey[];
  // The tiles of level 0 with ground within a distance of a point; all six of a planet, which is drawn whole.
  rootsWithin(point: Vector, distanceM: number): TileKey[];
  // Directions of length 1.
  upAt(point: Vector): Vector;
  northAt(point: Vector): Vector;
  // Of a point over the datum.
  heightOf(point: Vector): number;
  // The tile of a level that a point is over, and where on it.
  tileUnder(point: Vector, level: number): TilePlace;
  // Of a tile whose ground lies between two heights.
  sightOf(key: TileKey, heights: Heights, viewer: Viewer): Sight;
}

// That of a world.
export function surfaceOf(grid: Grid): Surface {
  return grid.radiusM === undefined ? new Plane(grid) : new CubeSphere(grid, grid.radiusM);
}

// The viewer of a view.
export function viewerOf(view: View, surface: Surface, lowestM: number | undefined): Viewer {
  const {position} = view;
  const ahead = view.ahead ?? surface.northAt(position);
  return {position, frustum: new Frustum(view, surface.upAt(position), ahead), lowestM};
}
