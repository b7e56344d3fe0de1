// Whether a globe on CesiumJS's example page shows land and sea at the right places.
import type {Page} from 'playwright-core';
import {expect} from 'vitest';
import {complete, globeSize} from './globe_page';
import {heightsAt, randomPlaces, rightShare} from './land_and_sea';
import {pixelsOf} from './pixels';

// Expects that random places of a world with a sea at 0 m are blue if their ground is under water.
// If the picture is mirrored or turned upside down, this must not be so.
export async function expectContinents(page: Page, grpc: string, world: string): Promise<void> {
  await complete(page, 100_000);
  // The places' pixels. Places that face away are left out.
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
  }, randomPlaces(31));
  expect(shown.length).toBeGreaterThan(300);
  const picture = await pixelsOf(page);
  const heights = await heightsAt(grpc, world, shown);
  const last = globeSize - 1;
  expect(rightShare(heights, picture, (n) => [shown[n]!.x, shown[n]!.y])).toBeGreaterThan(0.97);
  // The twins: the mirrored picture and the one turned upside down are wrong.
  expect(rightShare(heights, picture, (n) => [last - shown[n]!.x, shown[n]!.y])).toBeLessThan(0.9);
  expect(rightShare(heights, picture, (n) => [shown[n]!.x, last - shown[n]!.y])).toBeLessThan(0.9);
}
