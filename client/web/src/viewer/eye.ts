// The eye of the picture: its position in space, its range, and its lines of sight.
import type {Rig} from '../camera/rig';
import type {Datum} from '../datum/datum';
import {directionOf, rayThrough} from '../datum/direction';
import {verticalFovDeg} from '../datum/pose';
import {Surface, surfaceOf} from '../lod/surface';
import type {View} from '../lod/view';
import type {Stage} from '../render/stage';
import type {Vector} from '../space/vector';
import type {DetailControl} from '../stats/detail';
import {planetTolerance} from '../terrain/terrain';

export class Eye {
  private last: {readonly datum: Datum; readonly surface: Surface} | undefined;

  constructor(
    private readonly rig: Rig, private readonly stage: Stage, private readonly detail: DetailControl) {}

  get position(): Vector {
    return this.rig.datum.eyeOf(this.rig.pose);
  }

  // How far away ground is drawn.
  get rangeM(): number {
    const {datum, pose, clearanceM} = this.rig;
    return datum.rangeM(pose.heightM, clearanceM);
  }

  // The surface that the ground lies on, about the camera.
  get surface(): Surface {
    const {datum, pose} = this.rig;
    const grid = datum.gridAbout(pose);
    const last = this.last?.surface.grid;
    if (datum !== this.last?.datum || last?.originX !== grid.originX || last.originY !== grid.originY) {
      this.last = {datum, surface: surfaceOf(grid)};
    }
    return this.last!.surface;
  }

  // The view for the choice of tiles.
  get view(): View {
    const {datum, pose} = this.rig;
    const {headingDeg, pitchDeg} = pose;
    const {width, height} = this.stage.renderer.domElement;
    const isPlanet = this.surface.grid.radiusM !== undefined;
    return {
      position: this.position,
      direction: datum.toSpace(pose, directionOf(headingDeg, pitchDeg)),
      ahead: datum.toSpace(pose, directionOf(headingDeg, 0)),
      verticalFovDeg,
      aspect: Math.min(Math.max(width / height, 0.1), 10),
      viewportHeightPx: Math.max(height, 1),
      toleratedErrorPx: this.detail.detail.toleratedErrorPx * (isPlanet ? planetTolerance : 1),
      rangeM: this.rangeM,
    };
  }

  // Returns the direction from the eye to a point of the page.
  rayAt(clientX: number, clientY: number): Vector {
    const box = this.stage.canvas.getBoundingClientRect();
    return this.ray(
      (2 * (clientX - box.left) - box.width) / box.height,
      1 - 2 * (clientY - box.top) / box.height);
  }

  // The direction from the eye to the middle of the picture.
  get middleRay(): Vector {
    return this.ray(0, 0);
  }

  private ray(right: number, up: number): Vector {
    const {headingDeg, pitchDeg} = this.rig.pose;
    return rayThrough(headingDeg, pitchDeg, verticalFovDeg, right, up);
  }
}
