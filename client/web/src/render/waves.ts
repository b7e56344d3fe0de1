// The waves of open water: trains of straight crests, fixed to the lattice of the ground's noise.
//
// A train turns by whole parts of a period for each cell of the lattice, and the period is a power of 2. So integers tell the
// phase at any cell exactly, far from the origin too, and all tiles agree on it. Their directions are spread over space, so
// that on a planet every sea has waves of each length.
import {latticeCellM} from './lattice';

// The cells after which a train repeats itself.
export const periodCells = 65536;
// In cells: each length has trains in several directions. Shorter waves are those of the ground's noise.
const lengths = [46, 21, 9.3, 4.3] as const;
const trainsOfLength = 3;

// A train of waves by its turns in `periodCells` eastward, upward and southward, or along the axes of a planet.
export type Train = readonly [number, number, number];

// Even over the sphere, by the golden angle (Vogel, A better way to construct the sunflower head, 1979); neighbours in
// the list are far apart.
function directionOf(index: number, count: number): readonly [number, number, number] {
  const up = (index + 0.5) / count;
  const level = Math.sqrt(1 - up * up);
  const turn = index * Math.PI * (3 - Math.sqrt(5));
  return [level * Math.cos(turn), up, level * Math.sin(turn)];
}

const count = lengths.length * trainsOfLength;

export const trains: readonly Train[] = Array.from({length: count}, (_, n) => {
  const cells = lengths[n % lengths.length]! * (1 + 0.04 * Math.floor(n / lengths.length));
  const direction = directionOf((5 * n) % count, count);
  return direction.map((part) => Math.round(part * periodCells / cells)) as unknown as Train;
});

// Returns the constants of waves.glsl for the first trains of the list.
export function waveConstants(shown: number): string {
  const vectors = trains.slice(0, shown).map((turns) => `ivec3(${turns.join(', ')})`);
  return `const int kTrains = ${shown};\nconst int kPeriod = ${periodCells};\n` +
    `const ivec3 kTurns[kTrains] = ivec3[](${vectors.join(', ')});\n`;
}

// Whether waves may be visible where a pixel covers this many metres.
export function seesWaves(pixelM: number): boolean {
  return pixelM < 0.5 * lengths[0] * latticeCellM;
}
