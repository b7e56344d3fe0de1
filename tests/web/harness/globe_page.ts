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

export interface Globe {
  readonly page: Page;
  // Console errors, uncaught exceptions and requests to hosts that are neither site nor server.
  faults(): string[];
}

// Opens the page over a world, once it has asked the server for it.
export async function openGlobe(
  browser: Browser, site: Site, server: string, parameters: Readonly<Record<string, string>>,
  size = {width: 720, height: 720}): Promise<Globe> {
  const {page, faults} = await watchedPage(browser, site.url, {viewport: size});
  const query = new URLSearchParams({server, ...parameters});
  await page.goto(`${site.url}/cesium/index.html?${query}`);
  await page.waitForFunction('globalThis.globe !== undefined');
  return {page, faults: () => faults.filter((fault) => !fault.includes(server))};
}

// Waits until nothing is left to load, and something is shown, for 30 frames: a globe that shows
// nothing has nothing to load either.
export async function complete(page: Page, timeoutMs: number): Promise<void> {
  await page.evaluate(() => {
    const {scene} = (globalThis as any).globe.widget;
    const state = {frames: 0};
    (globalThis as any).settled = state;
    scene.postRender.addEventListener(() => {
      const done = scene.globe.tilesLoaded && scene.globe._surface._tilesToRender.length > 0;
      state.frames = done ? state.frames + 1 : 0;
    });
  });
  await page.waitForFunction('globalThis.settled.frames >= 30', undefined, {timeout: timeoutMs});
}
