// Chooses how finely the ground is drawn: as finely as the device can at 30 frames a second.
import type {FrameTimes} from './frame_times';

export interface Detail {
  // The tolerated error of drawn ground.
  readonly toleratedErrorPx: number;
  // The step between a mesh's vertices, in vertices of the tile; the second number is that of the tiles nearest to the eye.
  readonly stride: number;
  readonly nearStride: number;
  // Max sizes of noise in the materials of near ground.
  readonly octaves: number;
  // How many trains of waves water has near the eye.
  readonly trains: number;
  // Max pixels of the picture for each pixel of the page, along a side.
  readonly maxPixelRatio: number;
}

export const details: readonly Detail[] = [
  {toleratedErrorPx: 12, stride: 8, nearStride: 8, octaves: 1, trains: 6, maxPixelRatio: 0.75},
  {toleratedErrorPx: 8, stride: 4, nearStride: 4, octaves: 3, trains: 12, maxPixelRatio: 1},
  {toleratedErrorPx: 5, stride: 4, nearStride: 2, octaves: 4, trains: 12, maxPixelRatio: 1.5},
  {toleratedErrorPx: 3, stride: 2, nearStride: 1, octaves: 4, trains: 12, maxPixelRatio: 1.5},
  {toleratedErrorPx: 2, stride: 2, nearStride: 1, octaves: 4, trains: 12, maxPixelRatio: 2},
];
const first = 3;
const softwareFirst = 0;
const framesToJudge = 45;
const tooSlowMs = 34;
const fastMs = 19;
// Max steps to finer detail, so that a step that proved too slow is not tried again and again.
const maxStepsUp = 2;

export class DetailControl {
  private index: number;
  private stepsUp = 0;

  // A fixed step does not change: the same link then gives the same picture on any device.
  constructor(private readonly fixed: number | undefined, software: boolean) {
    this.index = Math.min(
      Math.max(fixed ?? (software ? softwareFirst : first), 0), details.length - 1);
  }

  get detail(): Detail {
    return details[this.index]!;
  }

  get step(): number {
    return this.index;
  }

  // Adjusts the detail to the frames so far. Returns true if it changed.
  judge(frames: FrameTimes): boolean {
    if (this.fixed !== undefined || frames.count < framesToJudge) return false;
    const usual = frames.quantile(0.8)!;
    if (usual > tooSlowMs && this.index > 0) return this.change(-1, frames);
    if (usual < fastMs && this.index + 1 < details.length && this.stepsUp < maxStepsUp) {
      ++this.stepsUp;
      return this.change(1, frames);
    }
    return false;
  }

  private change(by: number, frames: FrameTimes): boolean {
    this.index += by;
    frames.forget();
    return true;
  }
}

// Whether the processor draws, not a GPU.
export function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
