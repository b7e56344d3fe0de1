// Where a world is shown first.
import {tileCells} from '../lod/tile_key';
import {normalise} from './place';
import type {Pose} from './view_state';

// Level, north-west vertex and side in vertices of the squares that deploy/gallery draws.
const squares: Readonly<Record<string, readonly [number, number, number]>> = {
  'alpine': [7, -15500, -1700],
  'badlands': [6, 5360, 5560],
  'canyons': [5, 3136, 160],
  'delta': [3, 568, 232],
  'desert': [5, 3616, 2176],
  'hills': [5, 0, 0],
  'islands': [4, 1500, 1350],
  'lakes': [4, -200, 40],
  'raindrop-hills': [5, 0, 0],
  'snowball-island': [5, 0, 240],
  'drained-lakes': [4, -400, 0],
  'soft-meanders': [5, 0, 0],
};
const squareVertices = 480;

// The square of ground that shows what a world is like.
export interface Showplace {
  readonly eastM: number;
  readonly southM: number;
  readonly sideM: number;
}

// What must be known of a world to find its showplace.
export interface Measures {
  readonly name: string;
  readonly cell_size_m: number;
  readonly levels: number;
}

// Worlds that were made of a preset are shown where the preset is.
export function showplaceOf(spec: Measures): Showplace {
  const preset = Object.keys(squares).find(
    (name) => spec.name === name || spec.name.startsWith(`${name}-`) ||
      spec.name.startsWith(`${name}@`));
  const [level, x, y] = preset ? squares[preset]! : [Math.min(4, spec.levels - 1), 0, 0] as const;
  const cellM = spec.cell_size_m / 2 ** level;
  return {eastM: x * cellM, southM: y * cellM, sideM: squareVertices * cellM};
}

// From the south of the showplace, looking over it. How high is for the ground to say: `overGroundM` above
// what lies in its middle.
export function startPose(spec: Measures): {pose: Pose; overGroundM: number; aheadM: number} {
  const show = showplaceOf(spec);
  const sideM = spec.cell_size_m * tileCells;
  const overGroundM = 0.2 * show.sideM;
  const place = normalise({
    tileX: 0, tileY: 0,
    eastM: show.eastM + 0.5 * show.sideM,
    southM: show.southM + 0.95 * show.sideM,
  }, sideM);
  return {
    pose: {place, heightM: overGroundM + 500, headingDeg: 0, pitchDeg: -19},
    overGroundM,
    aheadM: 0.45 * show.sideM,
  };
}
