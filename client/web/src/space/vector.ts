// Points and directions: proto/geometry/view.h.

// In metres. On a plane x grows to the east, y to the south, z upward. On a planet the origin is its middle; z grows to
// the north pole, x to latitude and longitude 0.
export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export function subtract(a: Vector, b: Vector): Vector {
  return {x: a.x - b.x, y: a.y - b.y, z: a.z - b.z};
}

export function add(a: Vector, b: Vector): Vector {
  return {x: a.x + b.x, y: a.y + b.y, z: a.z + b.z};
}

export function scale(factor: number, a: Vector): Vector {
  return {x: factor * a.x, y: factor * a.y, z: factor * a.z};
}

export function dot(a: Vector, b: Vector): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

export function cross(a: Vector, b: Vector): Vector {
  return {x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x};
}

// Math.hypot would round differently from the library's square root of a sum.
export function lengthOf(a: Vector): number {
  return Math.sqrt(dot(a, a));
}

export function unit(a: Vector): Vector {
  return scale(1 / lengthOf(a), a);
}
