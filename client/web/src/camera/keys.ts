// Moves the camera by keyboard, frame by frame, as long as keys are held.
import type {Vector} from '../space/vector';
import type {Rig} from './rig';

export type Mode = 'orbit' | 'fly';

// What a key does, as parts of a full movement: forward, right, up, heading, pitch, closer.
interface Push {
  readonly forward?: number;
  readonly right?: number;
  readonly up?: number;
  readonly heading?: number;
  readonly pitch?: number;
  readonly closer?: number;
}

const pushes: Readonly<Record<string, Push>> = {
  ArrowUp: {forward: 1}, KeyW: {forward: 1},
  ArrowDown: {forward: -1}, KeyS: {forward: -1},
  ArrowLeft: {right: -1}, KeyA: {right: -1},
  ArrowRight: {right: 1}, KeyD: {right: 1},
  KeyR: {up: 1}, KeyF: {up: -1},
  KeyQ: {heading: -1}, KeyE: {heading: 1},
  PageUp: {pitch: 1}, PageDown: {pitch: -1},
  Equal: {closer: 1}, NumpadAdd: {closer: 1},
  Minus: {closer: -1}, NumpadSubtract: {closer: -1},
};

const degreesPerS = 55;
// Parts of the distance per second.
const closerPerS = 1.2;
const fasterFactor = 4;

export class KeyDrive {
  private readonly held = new Set<string>();
  private fast = false;

  // `canvas` has the focus while keys move the camera.
  constructor(canvas: HTMLElement, private readonly onPush: () => void) {
    canvas.addEventListener('keydown', (event) => {
      this.fast = event.shiftKey;
      if (!(event.code in pushes) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.held.add(event.code);
      this.onPush();
    });
    canvas.addEventListener('keyup', (event) => {
      this.fast = event.shiftKey;
      this.held.delete(event.code);
    });
    canvas.addEventListener('blur', () => this.held.clear());
  }

  get active(): boolean {
    return this.held.size > 0;
  }

  // Moves for a number of seconds. `pivot` is the point in the middle of the picture, from the eye.
  drive(rig: Rig, mode: Mode, seconds: number, pivot: () => Vector): void {
    if (!this.active) return;
    const sum = {forward: 0, right: 0, up: 0, heading: 0, pitch: 0, closer: 0};
    for (const code of this.held) {
      for (const [name, part] of Object.entries(pushes[code]!)) {
        sum[name as keyof typeof sum] += part as number;
      }
    }
    const factor = seconds * (this.fast ? fasterFactor : 1);
    const speed = factor * speedOf(rig.clearanceM, mode);
    if (mode === 'fly' && sum.forward !== 0) rig.advance(sum.forward * speed);
    else if (sum.forward !== 0) rig.glide(sum.forward * speed, 0, 0);
    if (sum.right !== 0 || sum.up !== 0) rig.glide(0, sum.right * speed, 0.6 * sum.up * speed);
    const [heading, pitch] = [sum.heading * degreesPerS * seconds, sum.pitch * degreesPerS * seconds];
    if (heading !== 0 || pitch !== 0) {
      if (mode === 'fly') rig.turn(heading, pitch);
      else rig.orbit(pivot(), heading, pitch);
    }
    if (sum.closer !== 0) rig.approach(pivot(), 1 - Math.exp(-sum.closer * closerPerS * factor));
  }
}

// Returns the speed in metres per second: fast if the ground is far away.
export function speedOf(clearanceM: number, mode: Mode): number {
  return Math.max(clearanceM, 4) * (mode === 'fly' ? 0.9 : 1.1);
}
