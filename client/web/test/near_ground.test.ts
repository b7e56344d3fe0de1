// Near ground: the weights of the cover's classes, the lattice of the noise, and which tiles have how much detail.
import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {coverColor, coverColors, coverParts} from '../src/codec/cover';
import {vertexCount} from '../src/codec/layer_codec';
import {coverNames} from '../src/generated/layers';
import {nearestOf} from '../src/render/full_meshes';
import {GroundMaterials, farGround, octaveCount, octavesSeen, seesMottle} from '../src/render/ground_materials';
import {LatticePlace, latticeFloorM, latticeOfPoint, latticeOfTile, latticePerM} from '../src/render/lattice';
import {looksOf} from '../src/render/materials';
import {PlaneTiles} from '../src/render/plane_tiles';
import {details} from '../src/stats/detail';

const read = (name: string): string => readFileSync(new URL(`../src/render/${name}`, import.meta.url), 'utf8');

describe('the weights of classes', () => {
  const class_ = fc.nat(12);
  // A value of the layer: the first class has the largest weight.
  const packed = fc.tuple(class_, class_, class_, fc.nat(127), fc.nat(63)).map(
    ([first, next, last, second, third]) => first | next << 4 | last << 8 | second << 12 | third << 20);

  it('equal those of the layer, and mix to the same colour', () => {
    fc.assert(fc.property(fc.array(packed, {minLength: 1, maxLength: 12}), (list) => {
      const values = new Int32Array(vertexCount).map((_, k) => list[k % list.length]!);
      const {classes, weights} = coverParts(values);
      const colors = coverColors(values);
      expect(classes.length).toBeLessThanOrEqual(4);
      expect(new Set(classes).size).toBe(classes.length);
      for (let k = 0; k < list.length; ++k) {
        const own = [...weights.subarray(4 * k, 4 * k + 4)];
        const sum = own.reduce((a, b) => a + b, 0);
        expect(sum).toBeLessThanOrEqual(255);
        if (sum < 255) continue;
        for (let c = 0; c < 3; ++c) {
          const mixed = own.reduce(
            (total, weight, n) => total + weight * coverColor(classes[n]!)[c]! / 255, 0);
          expect(Math.abs(mixed - colors[4 * k + c]!)).toBeLessThanOrEqual(0.51);
        }
      }
    }), {numRuns: 20});
  });

  it('leave out the rarest classes of a tile', () => {
    const values = new Int32Array(vertexCount).fill(7);
    [1, 2, 3, 4, 5].forEach((cover, n) => values.fill(cover, 10 * n * n, 10 * n * n + 10 * (n + 1)));
    const {classes, weights} = coverParts(values);
    expect(classes).toEqual([7, 5, 4, 3]);
    expect([...weights.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
    expect([...weights.subarray(4 * (vertexCount - 1))]).toEqual([255, 0, 0, 0]);
  });
});

describe('looks', () => {
  it('fill the matrices of the shader, a column for each class', () => {
    const uniforms = [...read('materials.glsl').matchAll(/uniform mat4 (\w+);/g)].map(([, name]) => name).sort();
    const looks = looksOf([coverNames.indexOf('Rock'), coverNames.indexOf('Snow')]);
    expect(Object.keys(looks).sort()).toEqual(uniforms);
    for (const matrix of Object.values(looks)) {
      expect(matrix).toHaveLength(16);
      expect(matrix.slice(8)).toEqual(new Array(8).fill(0));
    }
    expect(looks.paint.slice(4, 7).every((part) => part > 0.9)).toBe(true);
  });

  it('up close differ little from the colours from above', () => {
    coverNames.forEach((_, cover) => {
      const {paint} = looksOf([cover]);
      coverColor(cover).forEach((byte, c) => expect(Math.abs(paint[c]! - byte / 255)).toBeLessThan(0.06));
    });
  });

  it('of an unknown class are those of rock', () => {
    expect(looksOf([15])).toEqual(looksOf([coverNames.indexOf('Rock')]));
  });
});

// Returns how far one place is from another, in cells.
function between(a: LatticePlace, b: LatticePlace): number[] {
  return a.cell.map((cell, n) => (b.cell[n]! - cell | 0) + b.from[n]! - a.from[n]!);
}

describe('the lattice of the noise', () => {
  const cellSizeM = fc.constantFrom(4096, 1024, 128, 30, 39091.96639847768);
  const level = fc.integer({min: 0, max: 19});
  const tile = fc.maxSafeInteger().map((n) => n % 2 ** 40);

  it('has cells of about a metre', () => {
    fc.assert(fc.property(cellSizeM, (size) => {
      expect(latticePerM(size)).toBeGreaterThan(0.7);
      expect(latticePerM(size)).toBeLessThan(1.42);
    }));
  });

  it('continues from tile to tile and from level to level, at any distance', () => {
    fc.assert(fc.property(cellSizeM, level, tile, tile, (size, level, x, y) => {
      const key = {face: 0, level, x, y};
      const here = latticeOfTile(size, key, 0);
      const cells = size * 256 * 2 ** -level * latticePerM(size);
      const wrapped = (length: number): number => Math.abs(length) < 2 ** 31 ? length : NaN;
      if (!Number.isNaN(wrapped(cells))) {
        expect(between(here, latticeOfTile(size, {...key, x: x + 1}, 0))[0]).toBeCloseTo(cells, 6);
        expect(between(here, latticeOfTile(size, {...key, y: y + 1}, 0))[2]).toBeCloseTo(cells, 6);
      }
      expect(latticeOfTile(size, {...key, level: level + 1, x: 2 * x, y: 2 * y}, 0)).toEqual(here);
      for (const part of here.from) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThan(1);
      }
    }));
  });

  it('has its heights at whole cells', () => {
    fc.assert(fc.property(cellSizeM, fc.double({min: -12000, max: 12000, noNaN: true}), (size, heightM) => {
      const floorM = latticeFloorM(size, heightM);
      expect(heightM - floorM).toBeGreaterThanOrEqual(-1e-9);
      expect(heightM - floorM).toBeLessThanOrEqual(1 / latticePerM(size));
      const key = {face: 0, level: 3, x: 5, y: -7};
      const [, up] = between(latticeOfTile(size, key, 0), latticeOfTile(size, key, floorM));
      expect(up).toBeCloseTo(floorM * latticePerM(size), 6);
    }));
  });

  it('is one lattice in the space about a planet', () => {
    const metres = fc.double({min: -7e6, max: 7e6, noNaN: true});
    fc.assert(fc.property(metres, metres, metres, fc.double({min: -900, max: 900, noNaN: true}), (x, y, z, step) => {
      const size = 39091.96639847768;
      const way = between(latticeOfPoint(size, {x, y, z}), latticeOfPoint(size, {x: x + step, y, z}));
      expect(way[0]).toBeCloseTo(step * latticePerM(size), 6);
      expect(way[1]).toBeCloseTo(0, 6);
    }));
  });
});

describe('detail', () => {
  it('grows as ground comes nearer, until all octaves show', () => {
    expect(octavesSeen(0)).toBe(octaveCount);
    expect(octavesSeen(10)).toBe(0);
    for (let cells = 0.001; cells < 2; cells *= 1.3) {
      expect(octavesSeen(cells)).toBeGreaterThanOrEqual(octavesSeen(1.3 * cells));
    }
  });

  it('mottles plains that are too far for octaves, but not a planet from orbit', () => {
    expect(octavesSeen(2)).toBe(0);
    expect(seesMottle(2)).toBe(true);
    expect(seesMottle(500)).toBe(false);
    const materials = new GroundMaterials({}, new PlaneTiles({}, 512));
    expect(materials.showing({...farGround, mottled: true}).fragmentShader).toContain('vec3 mottled(');
    expect(materials.showing(farGround).fragmentShader).not.toContain('vec3 mottled(');
  });

  it('has full meshes for the nearest tiles only, and none on slow devices', () => {
    const tiles = Array.from({length: 60}, (_, n) => ({name: String(n), sides: (59 - n) / 100}));
    const near = nearestOf(tiles);
    expect(near.size).toBe(12);
    expect([...near].every((name) => Number(name) >= 48)).toBe(true);
    expect(nearestOf([{name: 'far', sides: 2}]).size).toBe(0);
    for (const {stride, nearStride} of details) expect(nearStride).toBeLessThanOrEqual(stride);
    expect(details[0]!.nearStride).toBe(8);
    expect(details.at(-1)!.nearStride).toBe(1);
  });
});
