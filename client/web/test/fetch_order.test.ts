// What is fetched first: coarse ground, then what the picture gains most by, and nothing outside it before it is whole.
import {describe, expect, it} from 'vitest';
import {drawableOf} from '../src/lod/drawable';
import {Family, fetchOrderOf} from '../src/lod/fetch_order';
import {TileFacts, forecastOf} from '../src/lod/forecast';
import {cellSizeM} from '../src/lod/grid';
import {selectionOf} from '../src/lod/selection';
import {Sighting} from '../src/lod/sighting';
import {surfaceOf} from '../src/lod/surface';
import {TileKey, nameOf, parentOf} from '../src/lod/tile_key';
import {View, pixelsPerRadian, widened} from '../src/lod/view';

const grid = {cellSizeM: 512, levels: 12, originX: 0, originY: 0};
const surface = surfaceOf(grid);
// Ground that is nearly flat here and rough there.
const roughnessOf = ({level, x, y}: TileKey): number => {
  const wave = Math.sin(12.9898 * x + 78.233 * y + 37.719 * level) * 43758.5453;
  return 0.01 * 1000 ** (wave - Math.floor(wave));
};
const factsOf = (key: TileKey): TileFacts =>
  ({geometricError: 65536 * roughnessOf(key) * cellSizeM(grid, key.level), minHeight: 0, maxHeight: 65536 * 100});

function viewTo(headingDeg: number, heightM: number): View {
  const heading = headingDeg * Math.PI / 180;
  return {
    position: {x: 70_000 + 1700 * headingDeg, y: 60_000 + 900 * headingDeg, z: heightM}, direction: {x: Math.sin(heading), y: -Math.cos(heading), z: -0.3},
    verticalFovDeg: 50, aspect: 16 / 9, viewportHeightPx: 540, toleratedErrorPx: 1, rangeM: 80_000,
  };
}

const headings = Array.from({length: 24}, (_, n) => 15 * n);

function orderTo(headingDeg: number, heightM = 400) {
  const view = viewTo(headingDeg, heightM);
  const selection = selectionOf(view, surface, factsOf);
  return {view, selection, ...fetchOrderOf(selection, surface, view, factsOf, -Infinity)};
}

const namesOf = (families: readonly Family[]): string[] => families.flat().map(({name}) => name);

describe.each(headings)('a view to %i degrees', (heading) => {
  it('lists each tile once, and siblings together', () => {
    const {selection, seen, beside} = orderTo(heading);
    const names = [...namesOf(seen), ...namesOf(beside)];
    expect([...names].sort()).toEqual(selection.tiles.map(({name}) => name).sort());
    for (const families of [seen, beside]) {
      const parents = families.map(([first]) => first!.key.level > 0 ? nameOf(parentOf(first!.key)) : '');
      expect(new Set(parents).size).toBe(parents.length);
    }
  });

  it('has coarse ground before the finer ground on it and beside it', () => {
    const {selection, seen} = orderTo(heading);
    const at = new Map(namesOf(seen).map((name, n) => [name, n]));
    for (const family of seen) {
      const {key, name} = family[0]!;
      if (key.level === 0) continue;
      const parent = parentOf(key);
      for (const needed of [parent, ...surface.touchingOf(parent)].map(nameOf)) {
        if (selection.byName.has(needed)) expect(at.get(needed) ?? -1).toBeLessThan(at.get(name)!);
      }
    }
  });

  it('does not see what is behind the camera', () => {
    const {view, seen, beside} = orderTo(heading);
    expect(beside.length).toBeGreaterThan(0);
    const sightings = [view, widened(view, 1.1)].map((wide) => new Sighting(wide, surface, factsOf, -Infinity));
    const sees = ({key}: {key: TileKey}): boolean => sightings.some((sighting) => sighting.sees(key));
    expect(seen.flat().every(sees)).toBe(true);
    expect(beside.flat().some(sees)).toBe(false);
  });

  it('is enough for the whole picture', () => {
    const {view, selection, seen} = orderTo(heading);
    const loaded = new Set(namesOf(seen));
    const sighting = new Sighting(view, surface, factsOf, -Infinity);
    const drawable = drawableOf(selection, surface, (name) =>
      loaded.has(name) || !sighting.sees(selection.byName.get(name)!.key));
    expect(drawable.finest).toBe(true);
    expect(drawable.tiles.filter((key) => sighting.sees(key) && !loaded.has(nameOf(key)))).toEqual([]);
  });
});

// The gains of the families that no finer family needs, which could come earlier. In steps of the parent's error; half a step more
// in the middle of the picture.
function gainsOf(headingDeg: number, heightM: number): number[] {
  const {view, selection, seen} = orderTo(headingDeg, heightM);
  const centre = new Sighting(widened(view, 0.5), surface, factsOf, -Infinity);
  const parents = seen.filter(([first]) => first!.key.level > 0).map(([first]) => parentOf(first!.key));
  const needed = new Set(parents.filter(({level}) => level > 0).flatMap(
    (parent) => [parent, ...surface.touchingOf(parent)].map((key) => nameOf(parentOf(key)))));
  const free = seen.filter(([first]) => first!.key.level > 0 && !needed.has(nameOf(parentOf(first!.key))));
  return free.map(([first]) => {
    const parent = selection.byName.get(nameOf(parentOf(first!.key)))!;
    const errorPx = forecastOf(grid, parent.key, factsOf).errorM * pixelsPerRadian(view) / parent.distanceM;
    const steps = Math.min(Math.max(Math.floor(Math.log2(errorPx / view.toleratedErrorPx)), -1), 4);
    return steps + (steps < 4 && centre.sees(parent.key) ? 0.5 : 0);
  });
}

it('what gains most is first, and the middle of the picture before its rim', () => {
  const all = new Set<number>();
  for (const heading of headings) {
    for (const heightM of [200, 500, 1000, 2000, 5000, 10_000, 20_000, 40_000]) {
      const gains = gainsOf(heading, heightM);
      expect(gains).toEqual([...gains].sort((a, b) => b - a));
      gains.forEach((gain) => all.add(gain));
    }
  }
  expect(all.size).toBeGreaterThan(3);
});
