// Rotations of vectors: at an eye (x east, y south, z up), and in space.
import {Vector, add, cross, dot, scale} from '../space/vector';

export const radians = Math.PI / 180;

// Turns a direction at an eye clockwise, as seen from above.
export function turnAbout(point: Vector, degrees: number): Vector {
  const [sin, cos] = [Math.sin(degrees * radians), Math.cos(degrees * radians)];
  return {x: point.x * cos - point.y * sin, y: point.x * sin + point.y * cos, z: point.z};
}

// Turns a direction at an eye upward, in the plane of a heading.
export function tiltAbout(point: Vector, headingDeg: number, degrees: number): Vector {
  const level = turnAbout(point, -headingDeg);
  const [sin, cos] = [Math.sin(degrees * radians), Math.cos(degrees * radians)];
  const forward = -level.y;
  return turnAbout(
    {x: level.x, y: -(forward * cos - level.z * sin), z: forward * sin + level.z * cos}, headingDeg);
}

export type Turn = (vector: Vector) => Vector;

// Turns about an axis of length 1, counter-clockwise as seen from its end (Rodrigues).
export function turnOn(axis: Vector, angle: number): Turn {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return (vector) => add(
    add(scale(cos, vector), scale(sin, cross(axis, vector))),
    scale((1 - cos) * dot(axis, vector), axis));
}

// Returns the shortest turn between two directions of length 1, which must not be opposite.
export function turnFrom(from: Vector, to: Vector): Turn {
  const axis = cross(from, to);
  const cos = dot(from, to);
  return (vector) => add(
    add(scale(cos, vector), cross(axis, vector)), scale(dot(axis, vector) / (1 + cos), axis));
}
