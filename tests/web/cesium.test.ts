// Globes: CesiumJS's stock release shows the server's planets.
import {describe, expect, it} from 'vitest';
import {expectContinents} from './harness/continents';
import {browser, server, useBrowser} from './harness/fixture';
import {openGlobe} from './harness/globe_page';
import {sampleHeights} from './harness/heights';
import {meshErrorM} from './harness/meshes';
import {random} from './harness/random';

useBrowser();

const pointCount = 200;
const regions = 10;
// The last level of both worlds, and the zoom at which meshes show it.
const level = 8;
const zoom = 11;

// Random points in regions of half a kilometre, in degrees.
function points(count: number): {latitude: number[]; longitude: number[]} {
  const draw = random(23);
  const [latitude, longitude]: [number[], number[]] = [[], []];
  for (let region = 0; region < regions; ++region) {
    const [south, west] = [-85 + 170 * draw(), -180 + 359 * draw()];
    for (let n = 0; n < count / regions; ++n) {
      latitude.push(south + 0.005 * draw());
      longitude.push(west + 0.005 * draw());
    }
  }
  return {latitude, longitude};
}

// The largest difference in metres between CesiumJS's most detailed heights and the server's. At
// sea, CesiumJS shows the surface of the water.
async function largestDifference(world: string, hasSea: boolean, shift = 0): Promise<number> {
  const {latitude, longitude} = points(pointCount);
  const {page, faults} = await openGlobe(browser, server, {world, picture: 'relief'});
  const found = await page.evaluate(async ({latitude, longitude}) => {
    const {Cesium, globe} = globalThis as any;
    const places = latitude.map((degrees: number, n: number) =>
      Cesium.Cartographic.fromDegrees(longitude[n], degrees));
    await Cesium.sampleTerrainMostDetailed(globe.terrainProvider, places, true);
    return places.map((place: any) => place.height as number);
  }, {latitude, longitude});
  expect(faults).toEqual([]);
  const heights = await sampleHeights(server.grpc, {
    world, level, latitude_deg: latitude.map((degrees) => degrees + shift), longitude_deg: longitude,
  });
  expect(new Set(found).size).toBeGreaterThan(pointCount / 4);
  return Math.max(...heights.map((height, n) =>
    Math.abs((hasSea ? Math.max(height, 0) : height) - found[n]!)));
}

// The error of meshes, and the form's step.
const allowedM = (radius: number): number => meshErrorM(radius, zoom) + 2 ** -8;

describe('CesiumJS', () => {
  it('shows a whole globe, north up and not mirrored', async () => {
    const {page, faults} = await openGlobe(browser, server, {world: 'marble', at: '45,25'});
    await expectContinents(page, server.grpc, 'marble');
    expect(faults).toEqual([]);
  });

  it('has the heights of a planet like the Earth', async () => {
    expect(await largestDifference('marble', true)).toBeLessThan(allowedM(6378137));
  });

  it('has the heights of a moon on its own sphere', async () => {
    expect(await largestDifference('pumice', false)).toBeLessThan(allowedM(1737400));
  });

  it('has wrong heights when asked elsewhere', async () => {
    expect(await largestDifference('pumice', false, 0.05))
      .toBeGreaterThan(10 * allowedM(1737400));
  });
});
