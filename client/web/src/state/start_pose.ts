// The pose from which a world is shown first.
import type {Measured} from '../datum/datum';
import {normalise} from '../datum/place';
import {Pose, verticalFovDeg} from '../datum/pose';
import {tileCells} from '../lod/tile_key';
import type {Showplace} from '../terrain/world';

// The properties of a world that a start needs.
export interface Shown extends Measured {
  readonly showplace: Showplace;
}

export interface Start {
  readonly pose: Pose;
  // The camera's height over the ground this far ahead, which is unknown until its tiles are loaded.
  readonly over?: {readonly overGroundM: number; readonly aheadM: number};
}

// Returns the start. `aspect` is the picture's width over its height.
export function startOf(world: Shown, aspect: number): Start {
  return world.sphere ? planetStart(world.showplace, world.sphere.radius_m, aspect) : planeStart(world);
}

// A camera beyond the square that shows the world, looking over it.
function planeStart({cell_size_m, showplace}: Shown): Start {
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
    over: {overGroundM, aheadM},
  };
}

// The part of the picture's shorter side that the planet takes.
const discShare = 0.84;

// A camera that sees the whole disc, with the showplace in the middle.
function planetStart({latitude_deg, longitude_deg}: Showplace, radiusM: number, aspect: number): Start {
  const tangent = discShare * Math.min(aspect, 1) * Math.tan(verticalFovDeg / 2 * Math.PI / 180);
  const heightM = radiusM / Math.sin(Math.atan(tangent)) - radiusM;
  const place = {latitudeDeg: latitude_deg ?? 0, longitudeDeg: longitude_deg ?? 0};
  return {pose: {place, heightM, headingDeg: 0, pitchDeg: -90}};
}
