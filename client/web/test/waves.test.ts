// The waves of standing water: their table, and which tiles show them.
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {GroundMaterials, farGround} from '../src/render/ground_materials';
import {PlaneTiles} from '../src/render/plane_tiles';
import {Train, periodCells, seesWaves, trains, waveConstants} from '../src/render/waves';
import {details} from '../src/stats/detail';

const lengthOf = (train: readonly number[]): number => Math.hypot(...train);

// The phase at a cell in parts of the period, as the shader computes it: in 32 bits that wrap.
const phaseAt = (train: Train, cell: readonly number[], period: number): number => {
  const turns = train.reduce((sum, part, n) => sum + Math.imul(part, cell[n]!) | 0, 0);
  return ((turns % period) + period) % period;
};

const exactPhaseAt = (train: Train, cell: readonly number[], period: number): number => {
  const turns = train.reduce((sum, part, n) => sum + BigInt(part) * BigInt(cell[n]!), 0n);
  return Number(((turns % BigInt(period)) + BigInt(period)) % BigInt(period));
};

const coordinate = fc.integer({min: -(2 ** 31), max: 2 ** 31 - 1});
const cell = fc.tuple(coordinate, coordinate, coordinate);

describe('trains of waves', () => {
  it('have an exact phase at any distance', () => {
    fc.assert(fc.property(fc.constantFrom(...trains), cell, (train, at) => {
      expect(phaseAt(train, at, periodCells)).toBe(exactPhaseAt(train, at, periodCells));
    }));
  });

  it('would not if their period were no power of 2', () => {
    expect(phaseAt(trains[0]!, [2 ** 30, 2 ** 30, 2 ** 30], 60000))
      .not.toBe(exactPhaseAt(trains[0]!, [2 ** 30, 2 ** 30, 2 ** 30], 60000));
  });

  it('differ in direction and length', () => {
    const cosines = trains.flatMap((a, n) => trains.slice(n + 1).map((b) =>
      Math.abs(a.reduce((sum, part, k) => sum + part * b[k]!, 0)) / lengthOf(a) / lengthOf(b)));
    expect(Math.max(...cosines)).toBeLessThan(0.98);
    expect(new Set(trains.map((train) => Math.round(lengthOf(train)))).size).toBe(trains.length);
  });

  // How many trains have crests that lie across a surface with this normal.
  const crossing = (some: readonly Train[], normal: readonly number[]): number => some.filter((train) => {
    const up = train.reduce((sum, part, n) => sum + part * normal[n]!, 0) / lengthOf(train) / lengthOf(normal);
    return Math.sqrt(1 - Math.min(up * up, 1)) > 0.5;
  }).length;
  const normal = fc.tuple(...[0, 1, 2].map(() => fc.double({min: -1, max: 1, noNaN: true})))
    .filter((part) => lengthOf(part) > 0.1);

  it('are on every sea of a planet, long and short ones', () => {
    fc.assert(fc.property(normal, (up) => {
      for (const length of [0, 1, 2, 3]) {
        expect(crossing(trains.filter((_, n) => n % 4 === length), up)).toBeGreaterThan(0);
      }
    }));
    expect(crossing([trains[0]!], trains[0]!)).toBe(0);
  });
});

describe('waves', () => {
  it('are seen from near and not from far', () => {
    expect(seesWaves(0.002)).toBe(true);
    expect(seesWaves(1000)).toBe(false);
  });

  it('take time only where water is', () => {
    const shape = new PlaneTiles({}, 512);
    const materials = new GroundMaterials({}, shape);
    const sea = materials.showing({...farGround, waves: 12});
    const land = materials.showing(farGround);
    expect(sea.fragmentShader).toContain('kTurns');
    expect(land.fragmentShader).not.toContain('kTurns');
    expect(land.defines).toEqual({});
    expect(materials.showing({...farGround, waves: 12})).toBe(sea);
    expect(materials.showing({...farGround, octaves: 2, waves: 12})).not.toBe(sea);
  });

  it('are fewer on slow devices, but of all lengths', () => {
    for (const {trains: shown} of details) expect(shown).toBeLessThanOrEqual(trains.length);
    const few = details[0]!.trains;
    expect(few).toBeLessThan(details.at(-1)!.trains);
    expect(waveConstants(few).match(/ivec3\(/g)).toHaveLength(few);
    expect(few).toBeGreaterThanOrEqual(4);
  });
});
