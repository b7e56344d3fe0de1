// Headings and pitches as directions at an eye: x east, y south, z up.
import type {Vector} from '../space/vector';

const radians = Math.PI / 180;

// Returns a direction of length 1.
export function directionOf(headingDeg: number, pitchDeg: number): Vector {
  const [heading, pitch] = [headingDeg * radians, pitchDeg * radians];
  return {
    x: Math.sin(heading) * Math.cos(pitch),
    y: -Math.cos(heading) * Math.cos(pitch),
    z: Math.sin(pitch),
  };
}

// The direction through a point of the picture: right and up from the middle, in half heights.
export function rayThrough(
  headingDeg: number, pitchDeg: number, fovDeg: number, right: number, up: number): Vector {
  const tangent = Math.tan(fovDeg / 2 * radians);
  const forward = directionOf(headingDeg, pitchDeg);
  const aside = directionOf(headingDeg + 90, 0);
  const above = directionOf(headingDeg, pitchDeg + 90);
  const sum = {
    x: forward.x + tangent * (right * aside.x + up * above.x),
    y: forward.y + tangent * (right * aside.y + up * above.y),
    z: forward.z + tangent * (right * aside.z + up * above.z),
  };
  const length = Math.hypot(sum.x, sum.y, sum.z);
  return {x: sum.x / length, y: sum.y / length, z: sum.z / length};
}

// Returns the heading of a direction of length 1, in degrees clockwise from north, 0 to 360.
export function headingOf({x, y}: Vector): number {
  return (Math.atan2(x, -y) / radians + 360) % 360;
}

// Returns the pitch of a direction of length 1, in degrees above the horizon.
export function pitchOf({z}: Vector): number {
  return Math.asin(Math.min(Math.max(z, -1), 1)) / radians;
}
