// The example page of CesiumJS, with the stock release from npm beside it.
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Browser, Page} from 'playwright-core';
import {watchedPage} from './browser';
import {Site, serveFiles} from './files';

const example = fileURLToPath(new URL('../../../client/examples/cesium/', import.meta.url));
const build = join(dirname(createRequire(import.meta.url).resolve('cesium/package.json')),
  'Build/Cesium/');

export function serveExample(): Promise<Site> {
  return serveFiles({'/favicon.ico': ['image/x-icon', '']},
    {'/cesium/Cesium/': build, '/cesium/': example});
}

// The width and height of the page, in pixels.
export const globeSize = 720;

export interface Globe {
  readonly page: Page;
  // Console errors, uncaught exceptions and requests to hosts that are neither site nor server.
  faults(): string[];
}

// Opens the page over a world, once it has asked the server for it: index.html has its terrain and
// pictures, tiles.html its 3D Tiles.
export async function openGlobe(
  browser: Browser, site: Site, server: string, parameters: Readonly<Record<string, string>>,
  name: 'index.html' | 'tiles.html' = 'index.html'): Promise<Globe> {
  const {page, faults} = await watchedPage(
    browser, site.url, {viewport: {width: globeSize, height: globeSize}});
  const query = new URLSearchParams({server, ...parameters});
  await page.goto(`${site.url}/cesium/${name}?${query}`);
  await page.waitForFunction('globalThis.globe?.widget !== undefined');
  return {page, faults: () => faults.filter((fault) => !fault.includes(server))};
}

// Waits until nothing is left to load, and something is shown, for so many frames: a globe that shows
// nothing has nothing to load either.
export async function complete(page: Page, timeoutMs: number, frames = 30): Promise<void> {
  await page.evaluate(() => {
    const {widget, tileset} = (globalThis as any).globe;
    const {scene} = widget;
    const state = {frames: 0};
    (globalThis as any).settled = state;
    scene.postRender.addEventListener(() => {
      const done = tileset ? tileset.tilesLoaded && tileset._selectedTiles.length > 0
        : scene.globe.tilesLoaded && scene.globe._surface._tilesToRender.length > 0;
      state.frames = done ? state.frames + 1 : 0;
    });
  });
  await page.waitForFunction(
    `globalThis.settled.frames >= ${frames}`, undefined, {timeout: timeoutMs});
}
