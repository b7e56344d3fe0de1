// How damp the ground is near water.
import {describe, expect, it} from 'vitest';
import {dampOf} from '../src/codec/damp';
import {vertexCount} from '../src/codec/layer_codec';
import {tileVertices} from '../src/lod/tile_key';

const cellM = 0.5;
const middle = 128;
const at = (x: number, y: number): number => y * tileVertices + x;
const flat = (): Float32Array => new Float32Array(vertexCount).fill(10);
const dry = new Uint8Array(vertexCount);
// A lake of one vertex in the tile's middle.
const lake = new Int32Array(vertexCount);
lake[at(middle, middle)] = 65536;

describe('dampness', () => {
  it('is 1 at water, falls with distance in any direction, and is 0 beyond 5 m', () => {
    const damp = dampOf({heights: flat(), depths: lake, rivers: dry, cellM});
    expect(damp[at(middle, middle)]).toBe(255);
    for (const [east, south] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]] as const) {
      const along = Array.from({length: 12}, (_, n) => damp[at(middle + n * east, middle + n * south)]!);
      along.slice(1).forEach((value, n) => expect(value).toBeLessThanOrEqual(along[n]!));
      expect(along[3]).toBeGreaterThan(100);
      expect(along[10]).toBe(0);
    }
  });

  it('ends on ground a metre above the water', () => {
    const heights = flat();
    heights.fill(11, at(0, middle + 1));
    const damp = dampOf({heights, depths: lake, rivers: dry, cellM});
    expect(damp[at(middle, middle - 1)]).toBeGreaterThan(200);
    expect(damp[at(middle, middle + 1)]).toBe(0);
  });

  it('is that of rivers by their weight', () => {
    const rivers = new Uint8Array(vertexCount);
    rivers.set([255, 76, 38, 0], at(20, 20));
    const damp = dampOf({heights: flat(), rivers, cellM: 8});
    expect([...damp.subarray(at(20, 20), at(24, 20))]).toEqual([255, 255, 128, 0]);
  });

  it('is high wherever ground lies little above the sea, and not below it', () => {
    const heights = flat();
    heights.set([0, 0.2, 0.5, 1, -3]);
    const [shore, low, higher, dryFlat, polder] = dampOf({heights, rivers: dry, seaLevelM: 0, cellM: 8});
    expect(shore).toBe(255);
    expect(low).toBeLessThan(255);
    expect(higher).toBeLessThan(low!);
    expect(higher).toBeGreaterThan(0);
    expect([dryFlat, polder]).toEqual([0, 0]);
  });

  it('is 0 without water', () => {
    expect(dampOf({heights: flat(), rivers: dry, cellM}).every((byte) => byte === 0)).toBe(true);
  });
});
