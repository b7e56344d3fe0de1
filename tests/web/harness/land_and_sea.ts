// Whether a picture of a planet with a sea at 0 m shows land and sea at the right places.
import {expect} from 'vitest';
import {sampleHeights} from './heights';
import type {Pixels} from './pixels';
import {random} from './random';

export interface GlobePlace {
  readonly longitude: number;
  readonly latitude: number;
}

export function randomPlaces(seed: number): GlobePlace[] {
  const draw = random(seed);
  return Array.from({length: 3000}, () => ({
    longitude: -180 + 360 * draw(), latitude: Math.asin(2 * draw() - 1) * 180 / Math.PI,
  }));
}

// The server's height of each place, in metres.
export function heightsAt(grpc: string, world: string, places: readonly GlobePlace[]): Promise<number[]> {
  return sampleHeights(grpc, {
    world, level: 1, latitude_deg: places.map(({latitude}) => latitude),
    longitude_deg: places.map(({longitude}) => longitude),
  });
}

// The share of places with the right colour: blue if, and only if, the ground is under water. `pixelOf` returns a
// place's pixel.
export function rightShare(
  heights: readonly number[], picture: Pixels, pixelOf: (n: number) => [number, number]): number {
  const told = heights.flatMap((height, n) => {
    // Shores are left out, since a pixel is about 20 to 40 km wide.
    if (Math.abs(height) < 400) return [];
    const [red, , blue] = picture.at(...pixelOf(n));
    return [(height < 0) === (blue > red)];
  });
  expect(told.length).toBeGreaterThan(100);
  return told.filter((right) => right).length / told.length;
}
