// The camera and how it moves: by steps over the ground, about a point of it, along a view.
import type {Vector} from '../lod/view';
import {Place, moved, offsetBetween} from '../state/place';
import type {Pose} from '../state/view_state';
import {directionOf} from './direction';

export const lowestPitchDeg = -89;
export const highestPitchDeg = 60;
const leastClearanceM = 1.7;
const highestM = 2_000_000;

const radians = Math.PI / 180;

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

export class Rig {
  // Called after every change.
  onMove: () => void = () => undefined;
  // The surface's height in metres under a place; undefined where nothing is known.
  groundUnder: (place: Place) => number | undefined = () => undefined;
  private current: Pose;

  constructor(pose: Pose, public sideM: number) {
    this.current = pose;
  }

  get pose(): Pose {
    return this.current;
  }

  // Puts the camera somewhere, over the ground.
  set(pose: Pose): void {
    const ground = this.groundUnder(pose.place);
    const least = ground === undefined ? -Infinity : ground + leastClearanceM;
    this.current = {
      place: pose.place,
      heightM: clamp(Math.max(pose.heightM, least), -32_768, highestM),
      headingDeg: ((pose.headingDeg % 360) + 360) % 360,
      pitchDeg: clamp(pose.pitchDeg, lowestPitchDeg, highestPitchDeg),
    };
    this.onMove();
  }

  // Lifts the camera out of ground that has risen.
  keepOverGround(): void {
    const ground = this.groundUnder(this.current.place);
    if (ground !== undefined && this.current.heightM < ground + leastClearanceM) this.set(this.current);
  }

  // How high the camera is over the ground; over the datum where that is not known.
  get clearanceM(): number {
    const ground = this.groundUnder(this.current.place) ?? 0;
    return Math.max(this.current.heightM - ground, leastClearanceM);
  }

  // In the world's directions.
  move(eastM: number, southM: number, upM: number): void {
    this.set({
      ...this.current,
      place: moved(this.current.place, eastM, southM, this.sideM),
      heightM: this.current.heightM + upM,
    });
  }

  // Over the ground, as the camera looks.
  glide(forwardM: number, rightM: number, upM: number): void {
    const heading = this.current.headingDeg * radians;
    const [sin, cos] = [Math.sin(heading), Math.cos(heading)];
    this.move(forwardM * sin + rightM * cos, -forwardM * cos + rightM * sin, upM);
  }

  // Along the view.
  advance(forwardM: number): void {
    const along = directionOf(this.current.headingDeg, this.current.pitchDeg);
    this.move(forwardM * along.x, forwardM * along.y, forwardM * along.z);
  }

  turn(headingDeg: number, pitchDeg: number): void {
    this.set({
      ...this.current,
      headingDeg: this.current.headingDeg + headingDeg,
      pitchDeg: this.current.pitchDeg + pitchDeg,
    });
  }

  // Turns the camera about a point, given from the eye; it stays in its place in the picture.
  orbit(pivot: Vector, headingDeg: number, pitchDeg: number): void {
    const pitch = clamp(this.current.pitchDeg + pitchDeg, lowestPitchDeg, highestPitchDeg);
    const tilted = tiltAbout(
      pivot, this.current.headingDeg, pitch - this.current.pitchDeg);
    const turned = turnAbout(tilted, headingDeg);
    this.set({
      place: moved(this.current.place, pivot.x - turned.x, pivot.y - turned.y, this.sideM),
      heightM: this.current.heightM + pivot.z - turned.z,
      headingDeg: this.current.headingDeg + headingDeg,
      pitchDeg: pitch,
    });
  }

  // Goes a share of the way to a point, given from the eye; away from it when negative.
  approach(point: Vector, share: number): void {
    this.move(point.x * share, point.y * share, point.z * share);
  }

  // A place as seen from the eye, over the ground.
  offsetTo(place: Place): {eastM: number; southM: number} {
    return offsetBetween(this.current.place, place, this.sideM);
  }
}

// A direction turned clockwise, seen from above.
function turnAbout(point: Vector, degrees: number): Vector {
  const [sin, cos] = [Math.sin(degrees * radians), Math.cos(degrees * radians)];
  return {x: point.x * cos - point.y * sin, y: point.x * sin + point.y * cos, z: point.z};
}

// A direction turned upward in the plane of a heading.
function tiltAbout(point: Vector, headingDeg: number, degrees: number): Vector {
  const level = turnAbout(point, -headingDeg);
  const [sin, cos] = [Math.sin(degrees * radians), Math.cos(degrees * radians)];
  const forward = -level.y;
  return turnAbout(
    {x: level.x, y: -(forward * cos - level.z * sin), z: forward * sin + level.z * cos}, headingDeg);
}
