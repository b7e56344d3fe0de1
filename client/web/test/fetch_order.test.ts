// What is fetched first: coarse ground, then what the picture gains most by, and nothing outside it before it is whole.
import {describe, expect, it} from 'vitest';
import {drawableOf} from '../src/lod/drawable';
import {Family, fetchOrderOf} from '../src/lod/fetch_order';
import type {TileFacts} from '../src/lod/forecast';
import {cellSizeM} from '../src/lod/grid';
import {selectionOf} from '../src/lod/selection';
import {Sighting} from '../src/lod/sighting';
import {surfaceOf} from '../src/lod/surface';
import {TileKey, nameOf, parentOf} from '../src/lod/tile_key';
import {View, widened} from '../src/lod/view';

const grid = {cellSizeM: 512, levels: 12, originX: 0, originY: 0};
const surface = surfaceOf(grid);
// Rough, flat-topped ground.
const factsOf = (key: TileKey): TileFacts =>
  ({geometricError: 65536 * 0.3 * cellSizeM(grid, key.level), minHeight: 0, maxHeight: 65536 * 100});

function viewTo(headingDeg: number): View {
  const heading = headingDeg * Math.PI / 180;
  return {
    position: {x: 70_000, y: 60_000, z: 400}, direction: {x: Math.sin(heading), y: -Math.cos(heading), z: -0.3},
    verticalFovDeg: 50, aspect: 16 / 9, viewportHeightPx: 540, toleratedErrorPx: 12, rangeM: 80_000,
  };
}

const headings = Array.from({length: 24}, (_, n) => 15 * n);

function orderTo(headingDeg: number) {
  const view = viewTo(headingDeg);
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

  it('has the middle of the picture before the rim, where the same is gained', () => {
    const {view, selection, seen} = orderTo(heading);
    const centre = new Sighting(widened(view, 0.5), surface, factsOf, -Infinity);
    const px = view.viewportHeightPx / (2 * Math.tan(view.verticalFovDeg * Math.PI / 360));
    // Families that no finer one urges: their tiles are not split.
    const leaves = seen.filter((family) => family.every(({split}) => !split) && family[0]!.key.level > 0);
    const last = new Map<string, number>();
    leaves.forEach((family, n) => {
      const {key} = family[0]!;
      const parent = selection.byName.get(nameOf(parentOf(key)))!;
      const errorPx = 0.15 * cellSizeM(grid, parent.key.level) * px / parent.distanceM;
      const step = Math.floor(Math.log2(errorPx / view.toleratedErrorPx));
      if (step >= 4 || step < 0) return;
      const isMiddle = centre.sees(parent.key);
      if (!isMiddle) last.set(`${step}`, Math.min(last.get(`${step}`) ?? Infinity, n));
      else expect(n).toBeLessThan(last.get(`${step}`) ?? Infinity);
    });
  });
});
