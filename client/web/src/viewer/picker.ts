// Finds the ground at a point of the page, along a line of sight, and at a place.
import type {Rig} from '../camera/rig';
import type {Place} from '../datum/place';
import {Vector, subtract} from '../space/vector';
import type {Ground, GroundPoint} from '../terrain/ground';
import type {Eye} from './eye';

// A point of the ground with its place.
export interface Picked extends GroundPoint {
  readonly place: Place;
}

export class Picker {
  // Absent until a world is open.
  ground: Ground | undefined;

  constructor(private readonly rig: Rig, private readonly eye: Eye) {}

  // Returns the ground at a point of the page; undefined if nothing is drawn there.
  pick(clientX: number, clientY: number): Picked | undefined {
    return this.pickAlong(this.eye.rayAt(clientX, clientY));
  }

  // Returns the ground in the middle of the picture.
  pickMiddle(): Picked | undefined {
    return this.pickAlong(this.eye.middleRay);
  }

  pointAt(place: Place): Picked | undefined {
    const {pose, datum} = this.rig;
    return this.pickedAt(datum.pointOver(place, 0, pose));
  }

  // Returns the height in metres of the drawn ground.
  heightAt(place: Place): number | undefined {
    const {pose, datum} = this.rig;
    return this.ground?.heightUnder(datum.pointOver(place, 0, pose));
  }

  // The ground along a ray, from the eye; if the ray meets none, a point in the distance.
  seenAlong(ray: Vector): Vector {
    const {datum, pose, clearanceM} = this.rig;
    const hit = this.hit(ray);
    return hit ? datum.toEye(pose, subtract(hit, this.eye.position)) : datum.inDistance(pose, ray, clearanceM);
  }

  private pickAlong(ray: Vector): Picked | undefined {
    const hit = this.hit(ray);
    return hit && this.pickedAt(hit);
  }

  // Returns where a ray from the eye meets the ground, in space.
  private hit(ray: Vector): Vector | undefined {
    const {datum, pose} = this.rig;
    return this.ground?.hit(this.eye.position, datum.toSpace(pose, ray), this.eye.rangeM);
  }

  private pickedAt(point: Vector): Picked | undefined {
    const {pose, datum} = this.rig;
    const found = this.ground?.pointUnder(point);
    return found && {...found, place: datum.placeUnder(point, pose)};
  }
}
