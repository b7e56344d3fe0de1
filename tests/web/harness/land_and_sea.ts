// Whether a picture of a planet with a sea at 0 m shows land and sea where they are.
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

// Metres at each place, by the server.
export function heightsAt(grpc: string, world: string, places: readonly GlobePlace[]): Promise<number[]> {
  return sampleHeights(grpc, {
    world, level: 1, latitude_deg: places.map(({latitude}) => latitude),
    longitude_deg: places.map(({longitude}) => longitude),
  });
}

// The share of places that are blue where the ground is under water, and only there. `pixelOf` says where a place is in
// the picture.
export function rightShare(
  heights: readonly number[], picture: Pixels, pixelOf: (n: number) => [number, number]): number {
  const told = heights.flatMap((height, n) => {
    // Shores are left out: a pixel is some 20 to 40 km.
    if (Math.abs(height) < 400) return [];
    const [red, , blue] = picture.at(...pixelOf(n));
    return [(height < 0) === (blue > red)];
  });
  expect(told.length).toBeGreaterThan(100);
  return told.filter((right) => right).length / told.length;
}
