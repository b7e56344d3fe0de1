// The example page of deck.gl, with the stock release. Its reader of 3D Tiles is loaders.gl.
import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {describe, expect, it} from 'vitest';
import {until, type Watched} from './harness/browser';
import {coloursOf} from './harness/colours';
import {openExample} from './harness/examples';
import {browser, server, useBrowser} from './harness/fixture';
import {heightsAt, randomPlaces, rightShare} from './harness/land_and_sea';
import {pixelsOf} from './harness/pixels';

const size = 500;

useBrowser();

// Opens the page and waits until the layer has all of its tiles.
async function openDeck(world: string): Promise<Watched> {
  const watched = await openExample(browser, server, 'deckgl/', {world}, {width: size, height: size});
  await until(watched.page, 'globalThis.view?.layerManager?.getLayers().length > 0');
  await complete(watched.page);
  return watched;
}

// Waits until the tileset is complete: no selected tile has a selected ancestor. Until all children
// of a tile are loaded, loaders.gl draws both.
async function complete(page: Page): Promise<void> {
  await until(page, `(() => {
    const layer = view.layerManager.getLayers()[0];
    const tileset = layer.state.tileset3d;
    if (!tileset) {
      const layers = view.layerManager.getLayers();
      return layers.length > 2 && layers.every(({isLoaded}) => isLoaded);
    }
    const selected = new Set(tileset.selectedTiles);
    return layer.isLoaded && selected.size > 0 && ![...selected].some((tile) => selected.has(tile.parent));
  })()`, 90_000);
  // Waits until the loaded tiles are drawn.
  await page.evaluate(() => new Promise((resolve) => {
    (globalThis as any).view.redraw('complete');
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  }));
}

// The shares of random places with the right colour, in the picture and in its mirror image.
async function rightShares(page: Page, world: string): Promise<[inPicture: number, mirrored: number]> {
  const shown = await page.evaluate((places) => {
    const viewport = (globalThis as any).view.getViewports()[0];
    const degree = Math.PI / 180;
    return places.flatMap(({longitude, latitude}) => {
      const facing = Math.sin(latitude * degree) * Math.sin(viewport.latitude * degree) +
        Math.cos(latitude * degree) * Math.cos(viewport.latitude * degree) *
        Math.cos((longitude - viewport.longitude) * degree);
      if (facing < 0.6) return [];
      const [x, y] = viewport.project([longitude, latitude]);
      return [{longitude, latitude, x: x as number, y: y as number}];
    });
  }, randomPlaces(37));
  expect(shown.length).toBeGreaterThan(300);
  const picture = await pixelsOf(page);
  const heights = await heightsAt(server.grpc, world, shown);
  return [
    rightShare(heights, picture, (n) => [shown[n]!.x, shown[n]!.y]),
    rightShare(heights, picture, (n) => [size - 1 - shown[n]!.x, shown[n]!.y]),
  ];
}

describe('the example of deck.gl', () => {
  it('shows the ground of a plane', async () => {
    const {page, faults} = await openDeck('shire');
    expect(await coloursOf(page, 100, 400)).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it('shows a planet like the Earth by 3D Tiles, north up and not mirrored', async () => {
    const {page, faults} = await openDeck('marble');
    expect(await page.evaluate('view.layerManager.getLayers()[0].constructor.layerName')).toBe('Tile3DLayer');
    const [inPicture, mirrored] = await rightShares(page, 'marble');
    expect(inPicture).toBeGreaterThan(0.95);
    expect(mirrored).toBeLessThan(0.9);
    expect(faults).toEqual([]);
  });

  it('shows a moon by pictures', async () => {
    const {page, faults} = await openDeck('pumice');
    expect(await page.evaluate('view.layerManager.getLayers()[0].constructor.layerName')).toBe('TileLayer');
    expect(await coloursOf(page, 200, 300)).toBeGreaterThan(20);
    expect(await coloursOf(page, 0, 20)).toBe(1);
    expect(faults).toEqual([]);
  });
});

describe('loaders.gl', () => {
  // loaders.gl asks for all subtrees of a tileset before it shows anything. This planet has one per face.
  it('places S2 cells correctly', async () => {
    const spec = {
      ...JSON.parse(readFileSync(new URL('worlds/marble.json', import.meta.url), 'utf8')),
      name: 'bead', levels: 4, base_level: 3,
    };
    const made = await fetch(`${server.url}/v1/worlds`, {
      method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(spec),
    });
    expect(made.status).toBe(201);
    const {page, faults} = await openDeck('pumice');
    await page.evaluate(`view.setProps({layers: [new deck.Tile3DLayer({id: 's2',
      data: '/v1/worlds/bead/3dtiles/tileset.json', loadOptions: {core: {worker: false}}})]})`);
    await until(page, `view.layerManager.getLayers()[0].id === "s2" &&
      view.layerManager.getLayers()[0].state.tileset3d?.selectedTiles.length > 0`);
    const faces = await page.evaluate(() => {
      const [layer] = (globalThis as any).view.layerManager.getLayers();
      return layer.state.tileset3d.root.children.map((tile: any) => ({
        token: tile.header.boundingVolume.s2VolumeInfo.token as string,
        center: [...tile.boundingVolume.center] as number[],
      }));
    });
    expect(faces.map(({token}: {token: string}) => token).sort()).toEqual(['1', '3', '5', '7', '9', 'b']);
    // S2's faces are at x, y, z, -x, -y, -z. The poles' boxes are wrong there: see the README of client/examples.
    for (const [token, axis, sign] of [['1', 0, 1], ['3', 1, 1], ['7', 0, -1], ['9', 1, -1]] as const) {
      const {center} = faces.find((face: {token: string}) => face.token === token)!;
      expect(Math.sign(center[axis])).toBe(sign);
      expect(Math.max(...center.map(Math.abs))).toBe(Math.abs(center[axis]));
    }
    expect(faults).toEqual([]);
  });
});
