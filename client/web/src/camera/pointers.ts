// Moves the camera by mouse and touch.
import type {Pose} from '../datum/pose';
import type {Vector} from '../space/vector';
import {Mode, speedOf} from './keys';
import type {Rig} from './rig';

// The camera as pointers need it. Points are in coordinates of the page.
export interface PointerTarget {
  readonly canvas: HTMLElement;
  readonly rig: Rig;
  mode(): Mode;
  // The direction from the eye to a point of the page.
  rayAt(clientX: number, clientY: number): Vector;
  // The ground at a point of the page, from the eye; a point in the distance if no ground is there.
  groundAt(clientX: number, clientY: number): Vector;
  // A press without a movement.
  onTap(clientX: number, clientY: number): void;
}

interface Point {
  x: number;
  y: number;
}

const tapPx = 5;
const degreesPerPx = 0.25;

export class PointerDrive {
  private readonly down = new Map<number, Point>();
  private grip: Vector = {x: 0, y: 0, z: 0};
  private travelledPx = 0;
  private turning = false;

  constructor(private readonly target: PointerTarget) {
    const {canvas} = target;
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.drag(event));
    canvas.addEventListener('pointerup', (event) => this.release(event, true));
    canvas.addEventListener('pointercancel', (event) => this.release(event, false));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
  }

  private press(event: PointerEvent): void {
    const {canvas} = this.target;
    canvas.focus({preventScroll: true});
    canvas.setPointerCapture(event.pointerId);
    if (this.down.size === 0) this.travelledPx = 0;
    this.down.set(event.pointerId, {x: event.clientX, y: event.clientY});
    this.turning = event.button === 2 || event.button === 1 || event.shiftKey || event.ctrlKey;
    const middle = this.middle();
    this.grip = this.target.groundAt(middle.x, middle.y);
  }

  private release(event: PointerEvent, counts: boolean): void {
    this.down.delete(event.pointerId);
    if (counts && this.down.size === 0 && this.travelledPx < tapPx && event.button === 0) {
      this.target.onTap(event.clientX, event.clientY);
    }
    if (this.down.size === 1) {
      const middle = this.middle();
      this.grip = this.target.groundAt(middle.x, middle.y);
    }
  }

  private drag(event: PointerEvent): void {
    const before = this.down.get(event.pointerId);
    if (!before) return;
    const others = [...this.down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const after = {x: event.clientX, y: event.clientY};
    const by = {x: after.x - before.x, y: after.y - before.y};
    this.travelledPx += Math.hypot(by.x, by.y);
    this.down.set(event.pointerId, after);
    if (this.travelledPx < tapPx) return;
    if (others[0]) this.pinch(before, after, others[0]);
    else if (this.target.mode() === 'fly') this.target.rig.turn(-degreesPerPx * by.x, degreesPerPx * by.y);
    else if (this.turning) this.orbit(by);
    else this.pull(before, after);
  }

  private orbit(by: Point): void {
    const {rig} = this.target;
    const before = rig.pose;
    rig.orbit(this.grip, degreesPerPx * by.x, -degreesPerPx * by.y);
    this.follow(before);
  }

  // Two fingers: spreading changes the distance, twisting the heading, moving up or down the pitch.
  private pinch(before: Point, after: Point, other: Point): void {
    const {rig} = this.target;
    const pose = rig.pose;
    const spread = Math.hypot(after.x - other.x, after.y - other.y) /
      Math.max(Math.hypot(before.x - other.x, before.y - other.y), 1);
    const angle = Math.atan2(after.y - other.y, after.x - other.x) -
      Math.atan2(before.y - other.y, before.x - other.x);
    const twist = Math.atan2(Math.sin(angle), Math.cos(angle)) * 180 / Math.PI;
    rig.approach(this.grip, 1 - 1 / spread);
    this.follow(pose);
    const turned = rig.pose;
    rig.orbit(this.grip, -twist, -0.5 * degreesPerPx * (after.y - before.y));
    this.follow(turned);
  }

  // The grip is a point of the world relative to the eye, so it changes when the camera moves.
  private follow(before: Pose): void {
    const {rig} = this.target;
    this.grip = rig.datum.seenFrom(this.grip, before, rig.pose);
  }

  // Keeps the gripped ground under the pointer.
  private pull(before: Point, after: Point): void {
    this.target.rig.drag(this.onLevel(before), this.onLevel(after));
  }

  // Returns where the ray through a point meets the level of the grip.
  private onLevel(point: Point): Vector {
    const {rig} = this.target;
    return rig.datum.onLevel(rig.pose, this.target.rayAt(point.x, point.y), this.grip);
  }

  private middle(): Point {
    const points = [...this.down.values()];
    const sum = points.reduce((a, b) => ({x: a.x + b.x, y: a.y + b.y}), {x: 0, y: 0});
    return {x: sum.x / points.length, y: sum.y / points.length};
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const {rig} = this.target;
    const steps = event.deltaY * (event.deltaMode === 1 ? 16 : 1) * 0.0015;
    if (this.target.mode() === 'fly') rig.advance(-steps * speedOf(rig.clearanceM, 'fly'));
    else rig.approach(this.target.groundAt(event.clientX, event.clientY), 1 - Math.exp(steps));
  }
}
