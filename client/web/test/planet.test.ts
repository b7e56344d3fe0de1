// The faces of a planet, compared with the library's: vectors/planet.json.
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {surfaceOf} from '../src/lod/surface';
import {tileCells} from '../src/lod/tile_key';
import {latLongOf, placeOf, pointAt, pointOf, toCube, toLattice} from '../src/space/cube_sphere';

interface Vertex {
  key: [number, number, number, number];
  touching: [number, number, number, number][];
  // The point of its vertex in column 256 and row 77, 1,234.5 m up.
  point: [number, number, number];
}

const vertices = JSON.parse(
  readFileSync(new URL('vectors/planet.json', import.meta.url), 'utf8')) as Vertex[];
const radiusM = 6371000;
const surface = surfaceOf({cellSizeM: 39092, levels: 18, originX: 0, originY: 0, radiusM});
const apart = (a: readonly number[], b: {x: number; y: number; z: number}): number =>
  Math.hypot(a[0]! - b.x, a[1]! - b.y, a[2]! - b.z);

describe('the tiles of a planet', () => {
  it('touch the same tiles as in the library', () => {
    expect(vertices.length).toBe(120);
    for (const {key: [face, level, x, y], touching} of vertices) {
      // Nothing lies beyond a corner of a face, whatever key stands for it.
      const real = touching.filter(([face]) => face >= 0);
      expect(surface.touchingOf({face, level, x, y}).filter(({face}) => face >= 0)
        .map((key) => [key.face, key.level, key.x, key.y])).toEqual(real);
    }
  });

  it('stand where they do in the library, to a micrometre', () => {
    for (const {key: [face, level, x, y], point} of vertices) {
      const onFace = (tile: number, vertex: number): number => (tile + vertex / tileCells) * 2 ** -level;
      const direction = pointOf({face, x: onFace(x, 256), y: onFace(y, 77)});
      const h = radiusM + 1234.5;
      expect(apart(point, {x: h * direction.x, y: h * direction.y, z: h * direction.z})).toBeLessThan(1e-6);
    }
  });

  it('are found under their vertices', () => {
    for (const {key: [face, level, x, y]} of vertices) {
      const part = (tile: number): number => (tile + 0.25) * 2 ** -level;
      const found = surface.tileUnder(pointOf({face, x: part(x), y: part(y)}), level);
      expect(found.key).toEqual({face, level, x, y});
      expect(found.column).toBeCloseTo(64, 4);
      expect(found.row).toBeCloseTo(64, 4);
    }
  });
});

describe('places on a planet', () => {
  it('are read back as written', () => {
    for (let s = 0; s <= 1; s += 1 / 64) expect(toLattice(toCube(s))).toBeCloseTo(s, 14);
    for (const latitudeDeg of [-90, -45.5, -1e-9, 0, 12.345678, 89.999999]) {
      for (const longitudeDeg of [-179.999999, -90, 0, 1e-9, 135, 180]) {
        const back = latLongOf(pointAt({latitudeDeg, longitudeDeg}));
        expect(back.latitudeDeg).toBeCloseTo(latitudeDeg, 6);
        if (latitudeDeg > -90) expect(back.longitudeDeg).toBeCloseTo(longitudeDeg, 6);
      }
    }
  });

  it('have face 0 in the middle of the map and face 2 at the north pole', () => {
    expect(placeOf(pointAt({latitudeDeg: 0, longitudeDeg: 0}))).toEqual({face: 0, x: 0.5, y: 0.5});
    expect(placeOf(pointAt({latitudeDeg: 90, longitudeDeg: 0})).face).toBe(2);
    expect(placeOf(pointAt({latitudeDeg: -90, longitudeDeg: 0})).face).toBe(5);
  });
});
