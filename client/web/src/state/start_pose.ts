// Where a world is shown first.
import {tileCells} from '../lod/tile_key';
import type {Showplace} from '../terrain/world';
import {normalise} from './place';
import type {Pose} from './view_state';

// What must be known of a world.
export interface Shown {
  readonly cell_size_m: number;
  readonly showplace: Showplace;
}

// From beyond the square that shows the world, looking over it. How high is for the ground to say:
// `overGroundM` above what lies in the square's middle.
export function startPose({cell_size_m, showplace}: Shown): {pose: Pose; overGroundM: number; aheadM: number} {
  const sideM = cell_size_m * tileCells;
  const headingDeg = showplace.heading_deg ?? 0;
  const heading = headingDeg * Math.PI / 180;
  const overGroundM = (showplace.height ?? 0) * showplace.side_m;
  const aheadM = 0.45 * showplace.side_m;
  const place = normalise({
    tileX: 0, tileY: 0,
    eastM: (showplace.east_m ?? 0) - aheadM * Math.sin(heading),
    southM: (showplace.south_m ?? 0) + aheadM * Math.cos(heading),
  }, sideM);
  return {
    pose: {place, heightM: overGroundM + 500, headingDeg, pitchDeg: showplace.pitch_deg ?? 0},
    overGroundM,
    aheadM,
  };
}
