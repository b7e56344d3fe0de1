// Rotations of vectors: at an eye (x east, y south, z up), and in space.
import {Vector, add, cross, dot, scale} from '../space/vector';

export const radians = Math.PI / 180;

// A direction at an eye turned clockwise, seen from above.
export function turnAbout(point: Vector, degrees: number): Vector {
  const [sin, cos] = [Math.sin(degrees * radians), Math.cos(degrees * radians)];
  return {x: point.x * cos - point.y * sin, y: point.x * sin + point.y * cos, z: point.z};
}

// A direction at an eye turned upward in the plane of a heading.
export function tiltAbout(point: Vector, headingDeg: number, degrees: number): Vector {
  const level = turnAbout(point, -headingDeg);
  const [sin, cos] = [Math.sin(degrees * radians), Math.cos(degrees * radians)];
  const forward = -level.y;
  return turnAbout(
    {x: level.x, y: -(forward * cos - level.z * sin), z: forward * sin + level.z * cos}, headingDeg);
}

export type Turn = (vector: Vector) => Vector;

// About an axis of length 1, counter-clockwise as seen from its end (Rodrigues).
export function turnOn(axis: Vector, angle: number): Turn {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return (vector) => add(
    add(scale(cos, vector), scale(sin, cross(axis, vector))),
    scale((1 - cos) * dot(axis, vector), axis));
}

// The shortest turn from one direction of length 1 to another, which is not the opposite one.
export function turnFrom(from: Vector, to: Vector): Turn {
  const axis = cross(from, to);
  const cos = dot(from, to);
  return (vector) => add(
    add(scale(cos, vector), cross(axis, vector)), scale(dot(axis, vector) / (1 + cos), axis));
}
