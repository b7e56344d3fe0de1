// The camera and its movements: steps over the ground, turns about a point, and moves along the view.
import type {Datum} from '../datum/datum';
import {directionOf} from '../datum/direction';
import type {Place} from '../datum/place';
import type {Pose} from '../datum/pose';
import type {Vector} from '../space/vector';

const minClearanceM = 1.7;

const radians = Math.PI / 180;

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

export class Rig {
  // Called after every change.
  onMove: () => void = () => undefined;
  // The height in metres of the surface under a place; undefined where it is unknown.
  groundUnder: (place: Place) => number | undefined = () => undefined;
  private current: Pose;

  constructor(pose: Pose, public datum: Datum) {
    this.current = pose;
  }

  get pose(): Pose {
    return this.current;
  }

  // Puts the camera at a pose, but not under the ground.
  set(pose: Pose): void {
    const {datum} = this;
    const ground = this.groundUnder(pose.place);
    const min = ground === undefined ? -Infinity : ground + minClearanceM;
    const heightM = clamp(Math.max(pose.heightM, min), -32_768, datum.highestM);
    this.current = {
      place: pose.place,
      heightM,
      headingDeg: ((pose.headingDeg % 360) + 360) % 360,
      pitchDeg: clamp(pose.pitchDeg, datum.lowestPitchDeg, datum.highestPitchDeg(heightM)),
    };
    this.onMove();
  }

  // Lifts the camera out of ground that has risen.
  keepOverGround(): void {
    const ground = this.groundUnder(this.current.place);
    if (ground !== undefined && this.current.heightM < ground + minClearanceM) this.set(this.current);
  }

  // The camera's height over the ground, or over the datum where the ground is unknown.
  get clearanceM(): number {
    const ground = this.groundUnder(this.current.place) ?? 0;
    return Math.max(this.current.heightM - ground, minClearanceM);
  }

  // Moves to the east, to the south and up.
  move(eastM: number, southM: number, upM: number): void {
    this.set(this.datum.moved(this.current, {x: eastM, y: southM, z: upM}));
  }

  // Moves over the ground, relative to the camera's heading.
  glide(forwardM: number, rightM: number, upM: number): void {
    const heading = this.current.headingDeg * radians;
    const [sin, cos] = [Math.sin(heading), Math.cos(heading)];
    this.move(forwardM * sin + rightM * cos, -forwardM * cos + rightM * sin, upM);
  }

  // Moves along the view.
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

  // Turns the camera about a point, given from the eye; the point stays put in the picture.
  orbit(pivot: Vector, headingDeg: number, pitchDeg: number): void {
    const {datum, current} = this;
    const pitch = clamp(
      current.pitchDeg + pitchDeg, datum.lowestPitchDeg, datum.highestPitchDeg(current.heightM));
    this.set(datum.orbited(current, pivot, headingDeg, pitch - current.pitchDeg));
  }

  // Moves a part of the way to a point, given from the eye; away from it if the part is negative.
  approach(point: Vector, share: number): void {
    this.set(this.datum.approached(this.current, point, share));
  }

  // Moves the ground from one point to another. Both are on one level and given from the eye.
  drag(from: Vector, to: Vector): void {
    this.set(this.datum.dragged(this.current, from, to));
  }
}
