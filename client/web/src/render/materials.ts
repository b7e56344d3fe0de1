// How the cover's classes look from near: the table of materials.glsl.
import {coverColor} from '../codec/cover';
import {coverNames} from '../generated/layers';

// Four numbers are those of noise with waves of about 2 m, 50 cm, 12 cm and 3 cm.
type Octaves = readonly [number, number, number, number];

interface Material {
  // The strength of the highlight, and its exponent: how polished the ground is.
  readonly shine: readonly [strength: number, exponent: number];
  // What the colour from above lacks from near, in red, green and blue.
  readonly near?: readonly [number, number, number];
  // How the colour changes where the coarse noise is high, in red, green and blue.
  readonly shift: readonly [number, number, number];
  // How far it stands out over other materials where the noise is high.
  readonly stands: Octaves;
  // How steep its shape is.
  readonly slope: Octaves;
  // Whether the shape is waves (0) or stones (1).
  readonly stony: Octaves;
  // How much brighter high parts are.
  readonly grain: Octaves;
  // Running water, from 0 to 1.
  readonly river?: number;
  // How much beds of the rock differ in brightness.
  readonly beds?: number;
  // How much single grains sparkle.
  readonly sparkle?: number;
  // How wet it always is.
  readonly wet?: number;
}

const flat: Octaves = [0, 0, 0, 0];
const still: Material = {shine: [0, 1], shift: [0, 0, 0], stands: flat, slope: flat, stony: flat, grain: flat};

const materials: Readonly<Record<typeof coverNames[number], Material>> = {
  Water: still,
  River: {...still, stands: [-0.5, -0.4, 0, 0], slope: [0, 0.03, 0.05, 0.03], river: 1},
  Beach: {
    shine: [0.05, 12], shift: [0.03, 0.02, 0.01], stands: [0.3, -0.3, -0.3, 0.2],
    slope: [0.08, 0.12, 0.10, 0.12], stony: flat, grain: [0.03, 0.03, 0.04, 0.08],
  },
  Sand: {
    shine: [0.04, 12], shift: [0.04, 0.02, 0], stands: [-0.5, 0.4, 0.3, 0.3],
    slope: [0.10, 0.13, 0.16, 0.22], stony: [0, 0, 0.5, 0.8], grain: [0.04, 0.05, 0.07, 0.11],
  },
  Rock: {
    shine: [0.08, 14], shift: [0.05, 0.03, 0.01], stands: [1.2, 1.0, 0.5, 0.2],
    slope: [0.18, 0.30, 0.34, 0.28], stony: [0.3, 0.6, 0.5, 0.3], grain: [0.10, 0.12, 0.12, 0.12], beds: 0.14,
  },
  Scree: {
    shine: [0.05, 12], shift: [0.05, 0.035, 0.025], stands: [-0.3, 0.9, 0.9, 0.3],
    slope: [0.08, 0.30, 0.42, 0.34], stony: [0.5, 1, 1, 0.8], grain: [0.05, 0.12, 0.16, 0.13],
  },
  Soil: {
    shine: [0.02, 8], shift: [0.05, 0.03, 0.01], stands: [-0.7, -0.6, 0.3, 0.3],
    slope: [0.10, 0.16, 0.22, 0.26], stony: [0, 0.2, 0.5, 0.8], grain: [0.06, 0.08, 0.10, 0.13],
  },
  Grass: {
    shine: [0.02, 8], near: [0.015, -0.045, 0.01], shift: [0.11, 0.055, 0.06], stands: [0.4, 0.6, 0.9, 0.6],
    slope: [0.09, 0.17, 0.34, 0.55], stony: flat, grain: [0.05, 0.10, 0.16, 0.26],
  },
  Shrub: {
    shine: [0.02, 8], shift: [0.05, 0.035, 0.01], stands: [0.5, 1.2, 0.5, 0.3],
    slope: [0.28, 0.45, 0.42, 0.45], stony: [0.3, 0.8, 0.2, 0], grain: [0.12, 0.20, 0.18, 0.22],
  },
  Forest: {
    shine: [0.02, 8], shift: [0.03, 0.03, 0.01], stands: [1.2, 0.6, 0.4, 0.3],
    slope: [0.30, 0.40, 0.42, 0.45], stony: [0.45, 0.5, 0.1, 0], grain: [0.24, 0.20, 0.18, 0.20],
  },
  Wetland: {
    shine: [0.05, 20], shift: [0.05, 0.03, 0], stands: [-0.6, 0.5, 0.8, 0.5],
    slope: [0.06, 0.18, 0.30, 0.40], stony: flat, grain: [0.10, 0.12, 0.14, 0.20], wet: 0.35,
  },
  Snow: {
    shine: [0.10, 20], shift: [-0.025, -0.016, -0.004], stands: [-0.9, -0.7, -0.2, 0.2],
    slope: [0.16, 0.15, 0.10, 0.12], stony: flat, grain: [0.01, 0.015, 0.02, 0.03], sparkle: 1,
  },
  Salt: {
    shine: [0.06, 16], shift: [0.03, 0.02, 0.01], stands: [-0.3, 0.5, 0.2, 0.2],
    slope: [0.05, 0.10, 0.10, 0.12], stony: [0, 0.8, 0.3, 0.2], grain: [0.02, 0.06, 0.04, 0.04],
  },
};

const times = (a: Octaves, b: Octaves): number[] => a.map((value, n) => value * b[n]!);

// A class's column of each matrix in materials.glsl.
function columnsOf(cover: number) {
  const material = materials[coverNames[cover] ?? 'Rock'];
  const {shine: [strength, exponent], near = [0, 0, 0], shift, stands, slope, stony, grain} = material;
  const wavy = stony.map((share) => 1 - share) as unknown as Octaves;
  return {
    paint: [...coverColor(cover).map((byte, n) => byte / 255 + near[n]!), strength],
    shift: [...shift, exponent],
    standsByWave: times(stands, wavy), standsByStone: times(stands, stony),
    slopeByWave: times(slope, wavy), slopeByStone: times(slope, stony),
    grainByWave: times(grain, wavy), grainByStone: times(grain, stony),
    traits: [material.river ?? 0, material.beds ?? 0, material.sparkle ?? 0, material.wet ?? 0],
  };
}

// The matrices of materials.glsl by their names.
export type Looks = Readonly<Record<keyof ReturnType<typeof columnsOf>, readonly number[]>>;

// Returns the matrices for a tile's classes, up to four. Columns of missing classes are 0.
export function looksOf(classes: readonly number[]): Looks {
  const columns = classes.map(columnsOf);
  const names = Object.keys(columnsOf(0)) as (keyof Looks)[];
  return Object.fromEntries(names.map((name) => {
    const matrix = new Array<number>(16).fill(0);
    columns.forEach((column, n) => column[name].forEach((value, row) => { matrix[4 * n + row] = value; }));
    return [name, matrix];
  })) as unknown as Looks;
}
