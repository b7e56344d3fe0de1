// The pyramid that a view shows: proto/geometry/view.h.
import {Vector, add, cross, dot, scale, subtract, unit} from '../space/vector';
import type {View} from './view';

export interface Ball {
  readonly middle: Vector;
  readonly radiusM: number;
}

export class Frustum {
  private readonly position: Vector;
  private readonly forward: Vector;
  // Normals of the left, right, upper and lower side, pointing inward.
  private readonly normals: Vector[];

  // The picture's upper edge is towards `up`, or towards `ahead` if the camera looks straight up or down. Both have
  // length 1.
  constructor(view: View, up: Vector, ahead: Vector) {
    this.position = view.position;
    this.forward = unit(view.direction);
    const upHint = Math.abs(dot(this.forward, up)) < 0.999 ? up : ahead;
    const right = unit(cross(this.forward, upHint));
    const pictureUp = cross(right, this.forward);
    const upTangent = Math.tan(view.verticalFovDeg * Math.PI / 360);
    const rightTangent = upTangent * view.aspect;
    this.normals = [
      unit(add(scale(rightTangent, this.forward), right)),
      unit(subtract(scale(rightTangent, this.forward), right)),
      unit(add(scale(upTangent, this.forward), pictureUp)),
      unit(subtract(scale(upTangent, this.forward), pictureUp)),
    ];
  }

  // Whether the ball may reach into the pyramid: never false for a visible ball.
  mayShow({middle, radiusM}: Ball): boolean {
    const from = subtract(middle, this.position);
    if (dot(from, this.forward) < -radiusM) return false;
    return this.normals.every((normal) => dot(from, normal) >= -radiusM);
  }

  // The same for a box along the axes, which is tighter beside the eye.
  mayShowBox({min, max}: {min: Vector; max: Vector}): boolean {
    const farthest = (normal: Vector): number => dot(subtract({
      x: normal.x > 0 ? max.x : min.x, y: normal.y > 0 ? max.y : min.y, z: normal.z > 0 ? max.z : min.z,
    }, this.position), normal);
    return farthest(this.forward) >= 0 && this.normals.every((normal) => farthest(normal) >= 0);
  }
}
