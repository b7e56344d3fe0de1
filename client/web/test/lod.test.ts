// The choice of tiles, compared with the library's: vectors/lod.json, vectors/lod_planet.json.
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {drawableOf} from '../src/lod/drawable';
import type {TileFacts} from '../src/lod/forecast';
import {selectionOf} from '../src/lod/selection';
import {surfaceOf} from '../src/lod/surface';
import {TileKey, nameOf} from '../src/lod/tile_key';
import type {View} from '../src/lod/view';

interface Scene {
  cell: number;
  levels: number;
  // Only for planets.
  radius?: number;
  position: [number, number, number];
  direction: [number, number, number];
  fov: number;
  aspect: number;
  height: number;
  error: number;
  range: number;
  facts: number[][];
  tiles: number[][];
  drawn: number[][];
}

function scenesOf(file: string): Scene[] {
  return JSON.parse(readFileSync(new URL(`vectors/${file}`, import.meta.url), 'utf8')) as Scene[];
}

const planes = scenesOf('lod.json');
const scenes = [...planes, ...scenesOf('lod_planet.json')];

function viewOf(scene: Scene, shiftM = 0): View {
  const [x, y, z] = scene.position;
  const [dx, dy, dz] = scene.direction;
  return {
    position: {x: x + shiftM, y: y + shiftM, z},
    direction: {x: dx, y: dy, z: dz},
    verticalFovDeg: scene.fov,
    aspect: scene.aspect,
    viewportHeightPx: scene.height,
    toleratedErrorPx: scene.error,
    rangeM: scene.range,
  };
}

function surfaceAt(scene: Scene, origin = 0) {
  return surfaceOf({
    cellSizeM: scene.cell, levels: scene.levels, originX: origin, originY: origin,
    ...(scene.radius !== undefined && {radiusM: scene.radius}),
  });
}

// Splits a row into a key and the numbers after it; rows for planes leave out the face.
function rowOf(scene: Scene, row: readonly number[]): [TileKey, ...number[]] {
  const [face, level, x, y, ...rest] = scene.radius === undefined ? [0, ...row] : row;
  return [{face: face!, level: level!, x: x!, y: y!}, ...rest];
}

function factsOf(scene: Scene): Map<string, TileFacts> {
  return new Map(scene.facts.map((row) => {
    const [key, geometricError, minHeight, maxHeight] = rowOf(scene, row);
    return [nameOf(key), {geometricError: geometricError!, minHeight: minHeight!, maxHeight: maxHeight!}];
  }));
}

describe('the rule of the library', () => {
  it('has scenes to compare', () => {
    expect(scenes.length).toBeGreaterThan(40);
  });

  it.each(scenes.map((scene, n) => [n, scene] as const))('chooses the same tiles in scene %i', (_, scene) => {
    const facts = factsOf(scene);
    const selection = selectionOf(viewOf(scene), surfaceAt(scene), (key) => facts.get(nameOf(key)));
    expect(selection.tiles.map(({key, split, need}) => [key, +split, need]))
      .toEqual(scene.tiles.map((tile) => rowOf(scene, tile).slice(0, 3)));
  });

  it.each(scenes.map((scene, n) => [n, scene] as const))('draws the same tiles in scene %i', (_, scene) => {
    const facts = factsOf(scene);
    const rows = scene.tiles.map((tile) => rowOf(scene, tile));
    const loaded = new Set(rows.filter(([, , , isLoaded]) => isLoaded).map(([key]) => nameOf(key)));
    const surface = surfaceAt(scene);
    const selection = selectionOf(viewOf(scene), surface, (key) => facts.get(nameOf(key)));
    const drawable = drawableOf(selection, surface, (name) => loaded.has(name));
    expect(drawable.tiles).toEqual(scene.drawn.map((row) => rowOf(scene, row)[0]));
  });

  it('notices another rule', () => {
    const differing = scenes.filter((scene) => {
      const facts = factsOf(scene);
      const view = {...viewOf(scene), toleratedErrorPx: scene.error * 1.5};
      const selection = selectionOf(view, surfaceAt(scene), (key) => facts.get(nameOf(key)));
      return selection.tiles.length !== scene.tiles.length;
    });
    expect(differing.length).toBeGreaterThan(5);
  });
});

describe('rough ground', () => {
  it('leaves no tile beside its own children at the limit of splits', () => {
    const scene = {...scenes[0]!, cell: 1024, levels: 10, range: 1e6};
    const rough = {geometricError: 2 ** 31, minHeight: 0, maxHeight: 65536};
    const selection = selectionOf(viewOf(scene), surfaceAt(scene), () => rough);
    expect(selection.tiles.filter(({split}) => split).length).toBeGreaterThanOrEqual(2048);
    for (const {key, split} of selection.tiles) {
      const child = {face: 0, level: key.level + 1, x: 2 * key.x, y: 2 * key.y};
      expect(selection.byName.has(nameOf(child))).toBe(split);
    }
  });
});

describe('a grid with an origin far away', () => {
  it('chooses the same tiles, moved', () => {
    const scene = scenes[0]!;
    const far = 2 ** 27;
    const here = selectionOf(viewOf(scene), surfaceAt(scene), () => undefined);
    const there = selectionOf(viewOf(scene), surfaceAt(scene, far), () => undefined);
    expect(there.tiles.map(({key}) => nameOf(key)))
      .toEqual(here.tiles.map(({key}) => nameOf({
        face: 0, level: key.level, x: key.x + far * 2 ** key.level, y: key.y + far * 2 ** key.level})));
  });

  it('draws only level 0 at the end of the plane', () => {
    const scene = scenes[0]!;
    const end = 2 ** 40 - 1;
    const selection = selectionOf(viewOf(scene), surfaceAt(scene, end), () => undefined);
    expect(selection.tiles.length).toBeGreaterThan(0);
    expect(selection.tiles.every(({key}) => key.level === 0 && key.x < 2 ** 40)).toBe(true);
  });
});
