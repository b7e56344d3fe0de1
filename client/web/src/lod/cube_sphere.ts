// A planet, the six faces of a cube on a sphere: proto/geometry/surface.h. Positions are metres from its middle: z grows to
// the north pole, x to latitude and longitude 0, y to longitude 90°.
import {Side, across, east, faces, north, south, west} from '../space/cube_faces';
import {placeOf} from '../space/cube_sphere';
import {Vector, lengthOf, scale, subtract, unit} from '../space/vector';
import type {Grid} from './grid';
import type {Heights, Sight, Surface, TilePlace, Viewer} from './surface';
import {TileKey, parentSquaresAround, squaresAround, tileCells} from './tile_key';
import {TilePatch} from './tile_patch';

// The face of a key that names no tile: lookups find nothing.
const noFace = -1;

// Returns the tile at a square. A square one tile beyond a side is a tile of the next face. Beyond two sides there is
// no tile, because three tiles meet at a corner of a face.
function tileAt(square: TileKey): TileKey {
  const {face, level, x, y} = square;
  const tiles = 2 ** level;
  const alongX = x < 0 || x === tiles;
  const alongY = y < 0 || y === tiles;
  if (!alongX && !alongY) return square;
  if (alongX && alongY) return {face: noFace, level, x: 0, y: 0};
  const side: Side = alongX ? (x < 0 ? west : east) : (y < 0 ? north : south);
  // The tile's middle is a vertex of the lattice of half tiles.
  const middle = across({face, x: 2 * x + 1, y: 2 * y + 1}, side, 2 * tiles);
  return {face: middle.face, level, x: Math.floor(middle.x / 2), y: Math.floor(middle.y / 2)};
}

// Any point is valid, even the planet's middle.
function directionOf(point: Vector): Vector {
  const length = lengthOf(point);
  return length > 0 ? scale(1 / length, point) : {x: 0, y: 0, z: 1};
}

// The angle at a sphere's middle from a point to the sphere's horizon, in radians.
export function horizonAngle(radiusM: number, sphereM: number): number {
  return Math.atan2(Math.sqrt((radiusM - sphereM) * (radiusM + sphereM)), sphereM);
}

// Whether a sphere hides a point from a viewer. `angle` is between them at the sphere's middle, in radians.
function hides(sphereM: number, viewerRadiusM: number, radiusM: number, angle: number): boolean {
  if (!(sphereM > 0 && viewerRadiusM > sphereM)) return false;
  return angle > horizonAngle(viewerRadiusM, sphereM) +
    horizonAngle(Math.max(radiusM, sphereM), sphereM);
}

const nearPole = 1e-12;

export class CubeSphere implements Surface {
  constructor(readonly grid: Grid, readonly radiusM: number) {}

  has({face, level, x, y}: TileKey): boolean {
    const tiles = 2 ** level;
    return face >= 0 && face < faces.length && level >= 0 && level < this.grid.levels && x >= 0 && x < tiles &&
      y >= 0 && y < tiles;
  }

  touchingOf(key: TileKey): TileKey[] {
    return squaresAround(key).map(tileAt);
  }

  parentsAround(key: TileKey): TileKey[] {
    return parentSquaresAround(key).map(tileAt);
  }

  rootsWithin(): TileKey[] {
    return faces.map((_, face) => ({face, level: 0, x: 0, y: 0}));
  }

  upAt(point: Vector): Vector {
    return directionOf(point);
  }

  // At a pole every direction is south or north; the result is that of longitude 0 or 180°.
  northAt(point: Vector): Vector {
    const up = directionOf(point);
    const toNorth = subtract({x: 0, y: 0, z: 1}, scale(up.z, up));
    return lengthOf(toNorth) > nearPole ? unit(toNorth) : {x: up.z > 0 ? -1 : 1, y: 0, z: 0};
  }

  heightOf(point: Vector): number {
    return lengthOf(point) - this.radiusM;
  }

  tileUnder(point: Vector, level: number): TilePlace {
    const {face, x, y} = placeOf(point);
    const tiles = 2 ** level;
    const onLevel = (part: number): number => Math.min(Math.floor(part * tiles), tiles - 1);
    const key = {face, level, x: onLevel(x), y: onLevel(y)};
    return {key, column: (x * tiles - key.x) * tileCells, row: (y * tiles - key.y) * tileCells};
  }

  // Tiles that lie wholly below the horizon of the lowest ground are not shown.
  sightOf(key: TileKey, heights: Heights, viewer: Viewer): Sight {
    const {radiusM} = this;
    const minM = Math.max(radiusM + heights.min, 0);
    const maxM = Math.max(radiusM + heights.max, minM);
    const patch = new TilePatch(key);
    const eyeM = lengthOf(viewer.position);
    const chord = patch.chordTo(directionOf(viewer.position));
    const angle = 2 * Math.asin(Math.min(0.5 * chord, 1));
    // The nearest point is at that angle, at the height that is nearest to the eye. A difference of squares would lose
    // centimetres.
    const nearestM = Math.min(Math.max(eyeM * (1 - 0.5 * chord * chord), minM), maxM);
    const hidden = viewer.lowestM !== undefined &&
      hides(radiusM + viewer.lowestM, eyeM, maxM, angle);
    return {
      distanceM: Math.hypot(eyeM - nearestM, Math.sqrt(eyeM * nearestM) * chord),
      horizontalM: radiusM * angle,
      mayShow: !hidden && viewer.frustum.mayShow(patch.ballAround(minM, maxM)),
    };
  }

  maySee(key: TileKey, heights: Heights, viewer: Viewer): boolean {
    return this.sightOf(key, heights, viewer).mayShow;
  }
}
