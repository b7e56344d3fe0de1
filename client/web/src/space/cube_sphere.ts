// Points of a cube's faces on the unit sphere (S2's quadratic projection): proto/geometry/cube_sphere.h.
import {faces} from './cube_faces';
import {Vector, add, dot, scale, unit} from './vector';

// A place on a face, as parts of its side: 0 to 1 from west to east and from north to south.
export interface FacePlace {
  readonly face: number;
  readonly x: number;
  readonly y: number;
}

// In degrees: latitude -90 to 90, longitude -180 to 180 to the east.
export interface LatLong {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
}

const radians = Math.PI / 180;

// Converts from 0 to 1 on the lattice to -1 to 1 on the cube, and back.
export function toCube(s: number): number {
  return s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3;
}

export function toLattice(u: number): number {
  return u >= 0 ? 0.5 * Math.sqrt(1 + 3 * u) : 1 - 0.5 * Math.sqrt(1 - 3 * u);
}

// Returns the point of a place on the unit sphere.
export function pointOf({face, x, y}: FacePlace): Vector {
  const axes = faces[face]!;
  return unit(add(axes.middle, add(scale(toCube(x), axes.x), scale(toCube(y), axes.y))));
}

// Returns the place of a point other than the planet's middle. On an edge: on one of its faces.
export function placeOf(point: Vector): FacePlace {
  let face = 0;
  faces.forEach(({middle}, other) => {
    if (dot(middle, point) > dot(faces[face]!.middle, point)) face = other;
  });
  const axes = faces[face]!;
  const depth = dot(axes.middle, point);
  return {face, x: toLattice(dot(axes.x, point) / depth), y: toLattice(dot(axes.y, point) / depth)};
}

export function pointAt({latitudeDeg, longitudeDeg}: LatLong): Vector {
  const [latitude, longitude] = [latitudeDeg * radians, longitudeDeg * radians];
  return {
    x: Math.cos(latitude) * Math.cos(longitude),
    y: Math.cos(latitude) * Math.sin(longitude),
    z: Math.sin(latitude),
  };
}

export function latLongOf({x, y, z}: Vector): LatLong {
  return {
    latitudeDeg: Math.atan2(z, Math.sqrt(x * x + y * y)) / radians,
    longitudeDeg: Math.atan2(y, x) / radians,
  };
}
