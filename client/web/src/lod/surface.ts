// The surface that a world's ground lies on: proto/geometry/surface.h. It has everything that differs between planes and
// planets: which tiles touch, where they lie in space, and which are visible.
import type {Vector} from '../space/vector';
import {CubeSphere} from './cube_sphere';
import {Frustum} from './frustum';
import type {Grid} from './grid';
import {Plane} from './plane';
import type {TileKey} from './tile_key';
import type {View} from './view';

// A range of heights, in metres above the datum.
export interface Heights {
  readonly min: number;
  readonly max: number;
}

// A camera that looks at tiles.
export interface Viewer {
  readonly position: Vector;
  readonly frustum: Frustum;
  // The lowest ground of the world. While it is absent, ground hides nothing.
  readonly lowestM: number | undefined;
}

// How a viewer sees a tile's ground.
export interface Sight {
  // The distance to the nearest point of the space that the ground takes; 0 inside.
  readonly distanceM: number;
  // The same along the datum, regardless of heights.
  readonly horizontalM: number;
  // Whether the picture may show it: never false for a visible tile.
  readonly mayShow: boolean;
}

// A place on a tile, in cells from the tile's north-west corner.
export interface TilePlace {
  readonly key: TileKey;
  readonly column: number;
  readonly row: number;
}

export interface Surface {
  readonly grid: Grid;
  // Whether the world has the tile.
  has(key: TileKey): boolean;
  // The tiles of the same level that touch a tile by an edge or a corner. At a corner of a planet's face no tile lies
  // in that direction.
  touchingOf(key: TileKey): TileKey[];
  // The tiles of the next coarser level that cover a tile and all that touch it. The key must not be of level 0.
  parentsAround(key: TileKey): TileKey[];
  // The tiles of level 0 with ground within a distance of a point; all six on a planet, which is drawn whole.
  rootsWithin(point: Vector, distanceM: number): TileKey[];
  // Directions of length 1.
  upAt(point: Vector): Vector;
  northAt(point: Vector): Vector;
  // The height of a point over the datum.
  heightOf(point: Vector): number;
  // The tile of a level that a point is over, and the place on it.
  tileUnder(point: Vector, level: number): TilePlace;
  // How a viewer sees a tile whose ground lies between two heights.
  sightOf(key: TileKey, heights: Heights, viewer: Viewer): Sight;
  // Whether the picture may show the tile, more exactly than `mayShow`, which follows proto/geometry.
  maySee(key: TileKey, heights: Heights, viewer: Viewer): boolean;
}

// Returns the surface of a world.
export function surfaceOf(grid: Grid): Surface {
  return grid.radiusM === undefined ? new Plane(grid) : new CubeSphere(grid, grid.radiusM);
}

// Returns the viewer of a view.
export function viewerOf(view: View, surface: Surface, lowestM: number | undefined): Viewer {
  const {position} = view;
  const ahead = view.ahead ?? surface.northAt(position);
  return {position, frustum: new Frustum(view, surface.upAt(position), ahead), lowestM};
}
