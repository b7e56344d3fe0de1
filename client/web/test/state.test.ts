// Places as texts, and links.
import {describe, expect, it} from 'vitest';
import fc from 'fast-check';
import {datumOf} from '../src/datum/datum';
import {PlanePlace, metresText, moved, normalise, offsetBetween, parseMetres} from '../src/datum/place';
import {fragmentOf, parseFragment, parsePose} from '../src/state/url';
import {layerIds} from '../src/state/view_state';

const sides = fc.constantFrom(1024 * 256, 512 * 256, 256, 300 * 256, 1.5 * 256);
const tiles = fc.integer({min: -(2 ** 40), max: 2 ** 40 - 1});

describe('places', () => {
  it('read what they write, to a centimetre, up to 2^40 tiles out', () => {
    fc.assert(fc.property(sides, tiles, fc.double({min: 0, max: 0.999, noNaN: true}),
      (side, tile, share) => {
        const offsetM = Math.round(share * side * 100) / 100;
        const back = parseMetres(metresText(tile, offsetM, side), side)!;
        const difference = (back.tile - tile) * side + back.offsetM - offsetM;
        expect(Math.abs(difference)).toBeLessThan(0.0101);
        expect(back.offsetM).toBeGreaterThanOrEqual(0);
        expect(back.offsetM).toBeLessThan(side);
      }), {seed: 1, numRuns: 500});
  });

  it('write metres that doubles cannot hold', () => {
    expect(metresText(2 ** 40 - 1, 0.25, 1024 * 256)).toBe('288230376151449600.25');
    expect(metresText(-1, 0, 262144)).toBe('-262144');
    expect(metresText(-1, 262143.99, 262144)).toBe('-0.01');
  });

  it('refuse texts that are not numbers', () => {
    for (const text of ['', 'x', '1e5', '--1', 'NaN', '1.', '0x10']) {
      expect(parseMetres(text, 256)).toBeUndefined();
    }
  });

  it('move there and back', () => {
    fc.assert(fc.property(sides, tiles, fc.integer({min: -1e6, max: 1e6}),
      fc.integer({min: -1e6, max: 1e6}), (side, tile, east, south) => {
        const place = {tileX: tile, tileY: tile, eastM: 100, southM: 7};
        const there = moved(place, east, south, side);
        expect(offsetBetween(place, there, side)).toEqual({eastM: east, southM: south});
        expect(moved(there, -east, -south, side)).toEqual(place);
        expect(normalise(there, side)).toEqual(there);
      }), {seed: 2});
  });
});

describe('links', () => {
  const states = fc.record({
    world: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}(@[0-9]{1,9})?$/),
    changes: fc.dictionary(fc.constantFrom('relief', 'erosion', 'scale'),
      fc.integer({min: 1, max: 400}).filter((n) => n !== 100).map((n) => n / 100)),
    layer: fc.constantFrom(...layerIds),
    sunAzimuthDeg: fc.integer({min: 0, max: 359}),
    sunAltitudeDeg: fc.integer({min: 2, max: 90}),
    contours: fc.oneof(fc.constant('auto' as const), fc.integer({min: 0, max: 1000})),
    pose: fc.record({
      place: fc.record({
        tileX: tiles, tileY: tiles,
        eastM: fc.integer({min: 0, max: 25600000}).map((n) => n / 100),
        southM: fc.integer({min: 0, max: 25600000}).map((n) => n / 100),
      }),
      heightM: fc.integer({min: -100000, max: 9000000}).map((n) => n / 100),
      headingDeg: fc.integer({min: 0, max: 35999}).map((n) => n / 100),
      pitchDeg: fc.integer({min: -9000, max: 9000}).map((n) => n / 100),
    }),
  });

  it('hold the whole state', () => {
    const side = 1024 * 256;
    const datum = datumOf({cell_size_m: 1024, levels: 1});
    fc.assert(fc.property(states, (state) => {
      const fragment = fragmentOf(state, datum);
      const {pose, ...rest} = state;
      expect(parseFragment(`#${fragment}`)).toEqual({...rest, changes: {...rest.changes}});
      const back = parsePose(`#${fragment}`, datum)!;
      const apart = offsetBetween(pose.place, back.place as PlanePlace, side);
      expect(Math.abs(apart.eastM) + Math.abs(apart.southM)).toBeLessThan(0.03);
      expect({...back, place: 0}).toEqual({...pose, place: 0});
    }), {seed: 3, numRuns: 500});
  });

  it('survive invalid text', () => {
    fc.assert(fc.property(fc.string(), (text) => {
      const state = parseFragment(text);
      expect(layerIds).toContain(state.layer);
      parsePose(text, datumOf({cell_size_m: 1, levels: 1}));
    }), {seed: 4, numRuns: 500});
  });
});
