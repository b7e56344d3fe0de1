// Whether a globe on a page shows land and sea where they are.
import type {Page} from 'playwright-core';
import {expect} from 'vitest';
import {complete, globeSize} from './globe_page';
import {sampleHeights} from './heights';
import {pixelsOf} from './pixels';
import {random} from './random';

// Random places of a world with a sea at 0 m, as the page's camera sees them: blue where the ground
// is under water, and not so when the picture is mirrored or upside down.
export async function expectContinents(page: Page, grpc: string, world: string): Promise<void> {
  await complete(page, 100_000);
  const draw = random(31);
  const places = Array.from({length: 3000}, () => ({
    longitude: -180 + 360 * draw(), latitude: Math.asin(2 * draw() - 1) * 180 / Math.PI,
  }));
  // Where they are on the screen; those that face away are left out.
  const shown = await page.evaluate((places) => {
    const {Cesium, globe} = globalThis as any;
    const {scene, camera} = globe.widget;
    return places.flatMap(({longitude, latitude}) => {
      const at = Cesium.Cartesian3.fromDegrees(longitude, latitude);
      const up = Cesium.Ellipsoid.default.geodeticSurfaceNormal(at, new Cesium.Cartesian3());
      const sight = Cesium.Cartesian3.subtract(camera.position, at, new Cesium.Cartesian3());
      Cesium.Cartesian3.normalize(sight, sight);
      if (Cesium.Cartesian3.dot(up, sight) < 0.4) return [];
      const {x, y} = Cesium.SceneTransforms.worldToWindowCoordinates(scene, at);
      return [{longitude, latitude, x, y}];
    });
  }, places);
  expect(shown.length).toBeGreaterThan(300);
  const picture = await pixelsOf(page);
  const heights = await sampleHeights(grpc, {
    world, level: 1, latitude_deg: shown.map(({latitude}) => latitude),
    longitude_deg: shown.map(({longitude}) => longitude),
  });
  // Shores are left out: a pixel is some 20 km.
  const rightShare = (placeOf: (n: number) => [number, number]): number => {
    const told = heights.flatMap((height, n) => {
      if (Math.abs(height) < 400) return [];
      const [red, , blue] = picture.at(...placeOf(n));
      return [(height < 0) === (blue > red)];
    });
    expect(told.length).toBeGreaterThan(100);
    return told.filter((right) => right).length / told.length;
  };
  const last = globeSize - 1;
  expect(rightShare((n) => [shown[n]!.x, shown[n]!.y])).toBeGreaterThan(0.97);
  // The twins: mirrored and upside down it is another globe.
  expect(rightShare((n) => [last - shown[n]!.x, shown[n]!.y])).toBeLessThan(0.9);
  expect(rightShare((n) => [shown[n]!.x, last - shown[n]!.y])).toBeLessThan(0.9);
}
