// 3D Tiles: the Khronos validator accepts their content, its heights are right, and CesiumJS's stock
// release shows it.
import {validateBytes} from 'gltf-validator';
import {describe, expect, it} from 'vitest';
import {axesOf, cellAt, type Content, contentBytes, readContent} from './harness/content';
import {expectContinents} from './harness/continents';
import {browser, server, useBrowser} from './harness/fixture';
import {complete, openGlobe} from './harness/globe_page';
import {sampleHeights} from './harness/heights';
import {random} from './harness/random';
import {fewOrAll} from './harness/size';
import {heightOver, pointAt, upAt} from './harness/space';

useBrowser();

const levels = 9;

describe('The content', () => {
  it('is glTF without a fault', async () => {
    const draw = random(41);
    for (let n = 0; n < fewOrAll(9, 24); ++n) {
      const cell = cellAt(-90 + 180 * draw(), -180 + 360 * draw(), n % levels);
      const bytes = await contentBytes(server.url, n % 2 === 0 ? 'marble' : 'pumice', cell);
      const {issues} = await validateBytes(new Uint8Array(bytes));
      // Pictures have 257 pixels a side. For this there is a hint, neither an error (0) nor a warning (1).
      expect(issues.messages.filter(({severity}: {severity: number}) => severity < 2)).toEqual([]);
    }
  });

  // Places in degrees, on a few tiles of each level.
  const placesAt = (level: number): {latitude: number[]; longitude: number[]} => {
    const draw = random(50 + level);
    const [latitude, longitude]: [number[], number[]] = [[], []];
    for (let tile = 0; tile < fewOrAll(2, 8); ++tile) {
      const [south, west] = [-85 + 165 * draw(), -180 + 350 * draw()];
      for (let n = 0; n < 15; ++n) {
        latitude.push(south + 8 * draw() / 2 ** level);
        longitude.push(west + 8 * draw() / 2 ** level);
      }
    }
    return {latitude, longitude};
  };

  // The largest difference from the server's heights, as a part of the allowed one: how far the mesh
  // may be from the tile's vertices, and a step of its positions.
  async function largestShare(world: string, hasSea: boolean, shift = 0): Promise<number> {
    const axes = await axesOf(server.url, world);
    const contents = new Map<string, Content>();
    let largest = 0;
    for (let level = 0; level < levels; ++level) {
      const {latitude, longitude} = placesAt(level);
      const heights = await sampleHeights(server.grpc, {
        world, level, longitude_deg: longitude,
        latitude_deg: latitude.map((degrees) => degrees + shift / 2 ** level),
      });
      for (let n = 0; n < latitude.length; ++n) {
        const cell = cellAt(latitude[n]!, longitude[n]!, level);
        const name = JSON.stringify(cell);
        const content = contents.get(name) ?? readContent(await contentBytes(server.url, world, cell));
        contents.set(name, content);
        const found = heightOver(
          content, pointAt(latitude[n]!, longitude[n]!, axes), upAt(latitude[n]!, longitude[n]!));
        expect(found).toBeDefined();
        const height = hasSea ? Math.max(heights[n]!, 0) : heights[n]!;
        largest = Math.max(
          largest, Math.abs(height - found!) / (content.deviationM + content.stepM));
      }
    }
    return largest;
  }

  it('has the heights of a planet like the Earth', async () => {
    expect(await largestShare('marble', true)).toBeLessThan(1);
  });

  it('has the heights of a moon on its own sphere', async () => {
    expect(await largestShare('pumice', false)).toBeLessThan(1);
  });

  it('has wrong heights when asked elsewhere', async () => {
    expect(await largestShare('pumice', false, 2)).toBeGreaterThan(1);
  });
});

describe('CesiumJS', () => {
  it.each(fewOrAll(['tileset'], ['tileset', 'boxes']))('shows a globe by %s.json, north up and not mirrored', async (tileset) => {
    const {page, faults} = await openGlobe(
      browser, server, {world: 'marble', at: '45,25', tileset}, 'tiles.html');
    await expectContinents(page, server.grpc, 'marble');
    expect(faults).toEqual([]);
  });

  // The camera is over each face in turn, so near that several levels are shown.
  it('finds the content of faces in the expected cells', async () => {
    const {page, faults} = await openGlobe(
      browser, server, {world: 'marble', at: '10,5', height: '1000000'}, 'tiles.html');
    // Use few tiles: the processor draws each frame.
    await page.evaluate('globe.tileset.maximumScreenSpaceError = 96');
    const levelsShown = new Set<number>();
    const places = [[10, 5], [20, 80], [170, 12], [100, -10], [-80, -15], [40, -75]];
    for (const [longitude, latitude] of places.slice(0, fewOrAll(3, places.length))) {
      await page.evaluate(`globe.widget.camera.setView(
        {destination: Cesium.Cartesian3.fromDegrees(${longitude}, ${latitude}, 1e6)})`);
      await complete(page, 60_000, 3);
      const tiles = await page.evaluate(() => {
        const {Cesium, globe} = globalThis as any;
        return globe.tileset._selectedTiles.map((tile: any) => {
          const {center, radius} = tile.content._model.boundingSphere;
          return {
            level: tile.implicitCoordinates.level as number,
            apart: Cesium.Cartesian3.distance(center, tile._boundingVolume.center) / radius as number,
          };
        });
      });
      expect(tiles.length).toBeGreaterThan(3);
      for (const {level, apart} of tiles) {
        levelsShown.add(level);
        // A whole face is not flat at all.
        expect(apart).toBeLessThan(level === 0 ? 0.6 : 0.3);
      }
    }
    expect(faults).toEqual([]);
    expect(levelsShown.size).toBeGreaterThan(2);
  });

  it('shows a moon by boxes', async () => {
    const {page, faults} = await openGlobe(
      browser, server, {world: 'pumice', at: '45,25'}, 'tiles.html');
    await complete(page, 100_000, 3);
    expect(faults).toEqual([]);
  });
});
