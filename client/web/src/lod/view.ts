// Where somebody looks, and how large things seem from there: proto/lod/view.h.

// Metres: x to the east, y to the south, z upward.
export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface View {
  // From the north-west corner of the grid's origin.
  readonly position: Vector;
  // Of any length above 0.
  readonly direction: Vector;
  // The angle between the picture's upper and lower edge.
  readonly verticalFovDeg: number;
  // Width over height.
  readonly aspect: number;
  readonly viewportHeightPx: number;
  readonly toleratedErrorPx: number;
  // Ground farther away than this is not drawn.
  readonly rangeM: number;
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

// Math.hypot rounds in another way than the library's square root of a sum.
export function lengthOf(a: Vector): number {
  return Math.sqrt(dot(a, a));
}

export function unit(a: Vector): Vector {
  return scale(1 / lengthOf(a), a);
}

// How many pixels a length of 1 m has that is seen from 1 m away.
export function pixelsPerRadian(view: View): number {
  return view.viewportHeightPx / (2 * Math.tan(view.verticalFovDeg * Math.PI / 360));
}
