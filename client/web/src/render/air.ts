// The air of a planet, from its specification.
import {Vector3} from 'three';
import type {WorldSpec} from '../terrain/world';

export interface Air {
  // The height in which the air thins by a factor of e.
  readonly scaleHeightM: number;
  // Vertical depths in red, green and blue, of gas and of dust.
  readonly gasDepth: Vector3;
  readonly dustDepth: Vector3;
  // The light of a high sun, and of the sky that it lights.
  readonly sunlight: Vector3;
  readonly skyLight: Vector3;
}

// The air of the Earth. Depths: Bucholtz, Rayleigh-scattering calculations for the terrestrial atmosphere, 1995.
const thick: Air = {
  scaleHeightM: 8000,
  gasDepth: new Vector3(0.050, 0.100, 0.235),
  dustDepth: new Vector3(0.020, 0.020, 0.020),
  sunlight: new Vector3(0.96, 0.91, 0.82),
  skyLight: new Vector3(0.31, 0.35, 0.42),
};

// The air of Mars: dust and very little gas.
const dusty: Air = {
  scaleHeightM: 11000,
  gasDepth: new Vector3(0.001, 0.002, 0.003),
  dustDepth: new Vector3(0.115, 0.088, 0.060),
  sunlight: new Vector3(0.90, 0.80, 0.70),
  skyLight: new Vector3(0.27, 0.22, 0.18),
};

const none: Air = {
  scaleHeightM: 0,
  gasDepth: new Vector3(),
  dustDepth: new Vector3(),
  sunlight: new Vector3(1.15, 1.12, 1.08),
  skyLight: new Vector3(0.015, 0.015, 0.016),
};

// A year's rain and snow up to which a world has no air: this is frost.
const frostMm = 10;

// A sea would boil away without thick air. Rain without a sea means a dry world with dusty air.
export function airOf({sea_level_m, climate}: WorldSpec): Air {
  if (sea_level_m !== undefined) return thick;
  return (climate?.rain_mm ?? 0) > frostMm ? dusty : none;
}
