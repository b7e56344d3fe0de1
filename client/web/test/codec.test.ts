// Tiles from a server's bytes to surfaces and overlays.
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import fc from 'fast-check';
import {fromHalf, toHalf} from '../src/codec/half_float';
import {decodeLayer, vertexCount} from '../src/codec/layer_codec';
import {fractionOf, valueAt} from '../src/codec/overlay';
import {farFromWater, surfaceOf} from '../src/codec/surface';
import {readTile} from '../src/codec/tile_message';

// A tile of the world of the browser's tests, as a server sent it, and the values that another
// decoder got from it (BigInt arithmetic on the output of the zstd command).
const bytes = new Uint8Array(readFileSync(new URL('vectors/tile.tlw', import.meta.url)));
const golden = JSON.parse(readFileSync(new URL('vectors/tile.json', import.meta.url), 'utf8')) as {
  geometricError: number;
  layers: {
    layer: number; latticeShift: number; min: number; max: number;
    first: number; middle: number; last: number; crc32: number;
  }[];
};

function crc32(values: Int32Array): number {
  let crc = -1;
  for (const byte of new Uint8Array(values.buffer)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe('a tile from a server', () => {
  const tile = readTile(bytes);

  it('has its layers', () => {
    expect(tile.geometricError).toBe(golden.geometricError);
    expect(tile.layers.map(({layer, min, max, latticeShift}) => ({layer, min, max, latticeShift})))
      .toEqual(golden.layers.map(
        ({layer, min, max, latticeShift}) => ({layer, min, max, latticeShift})));
  });

  it.each([0, 1])('decodes to the values of layer %i', (n) => {
    const values = decodeLayer(tile.layers[n]!.data, tile.layers[n]!.latticeShift);
    const {first, middle, last} = golden.layers[n]!;
    expect([values[0], values[33024], values[vertexCount - 1]]).toEqual([first, middle, last]);
    expect(crc32(values)).toBe(golden.layers[n]!.crc32);
  });

  it('becomes a surface on which the sea is flat', () => {
    const surface = surfaceOf(tile, {seaLevelM: 0});
    const depths = decodeLayer(tile.layers[1]!.data, tile.layers[1]!.latticeShift);
    let wet = 0;
    for (let k = 0; k < vertexCount; ++k) {
      const depth = fromHalf(surface.shading[4 * k + 2]!);
      if (depths[k]! > 0) {
        ++wet;
        expect(surface.heights[k]).toBe(0);
        expect(depth).toBeGreaterThanOrEqual(0);
      } else {
        expect(depth).toBeLessThan(0);
      }
    }
    expect(wet).toBeGreaterThan(100);
    expect(wet).toBeLessThan(vertexCount);
    expect([surface.hasWater, surface.hasLand]).toEqual([true, true]);
    const dry = {...tile, layers: [tile.layers[0]!]};
    const {hasWater, hasLand} = surfaceOf(dry, {seaLevelM: 0});
    expect([hasWater, hasLand]).toEqual([false, true]);
    expect(fromHalf(toHalf(farFromWater))).toBe(farFromWater);
  });

  it('has borders that match a mesh of every vertex', () => {
    const {borderErrorM} = surfaceOf(tile, {seaLevelM: 0});
    expect(borderErrorM[0]).toBe(0);
    expect(borderErrorM[3]).toBeGreaterThan(0);
  });
});

describe('bytes that are not a tile', () => {
  it('neither hang nor decode to another size', () => {
    fc.assert(fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length),
      (at, value, length) => {
        const damaged = bytes.slice(0, length);
        if (at < length) damaged[at] = value;
        try {
          for (const layer of readTile(damaged).layers) {
            expect(decodeLayer(layer.data, layer.latticeShift).length).toBe(vertexCount);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }), {seed: 1, numRuns: 60});
  });
});

describe('half floats', () => {
  it('keep 11 bits of their values', () => {
    fc.assert(fc.property(fc.double({min: -60000, max: 60000, noNaN: true}), (value) => {
      expect(Math.abs(fromHalf(toHalf(value)) - value))
        .toBeLessThanOrEqual(Math.max(Math.abs(value) * 2 ** -10, 2 ** -24));
    }), {seed: 2, numRuns: 500});
  });
});

describe('scales of layers', () => {
  it.each([{perUnit: 1, max: 50, unit: 0.1}, {perUnit: 1, max: 50}])('convert back and forth', (scale) => {
    fc.assert(fc.property(fc.double({min: 0, max: 50, noNaN: true}), (value) => {
      expect(valueAt(fractionOf(value, scale), scale)).toBeCloseTo(value, 6);
    }), {seed: 3});
    expect(fractionOf(1e9, scale)).toBe(1);
    expect(fractionOf(-1, scale)).toBe(0);
  });
});
