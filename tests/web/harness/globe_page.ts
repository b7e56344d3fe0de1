// The example pages of CesiumJS.
import type {Browser, Page} from 'playwright-core';
import {until, type Watched} from './browser';
import {openExample, type Parameters} from './examples';
import type {Addresses} from './server';
import {fewOrAll} from './size';

// The width and height of the page, in pixels.
export const globeSize = fewOrAll(480, 720);

// Opens the page of a world, and waits until it has asked the server for it. index.html shows terrain
// and pictures, tiles.html shows 3D Tiles.
export async function openGlobe(
  browser: Browser, server: Addresses, parameters: Parameters,
  name: '' | 'tiles.html' = '', token?: string): Promise<Watched> {
  const watched = await openExample(
    browser, server, `cesium/${name}`, parameters, {width: globeSize, height: globeSize}, token);
  await until(watched.page, 'globalThis.globe?.widget !== undefined');
  return watched;
}

// Waits until, for a number of frames, nothing is left to load and something is shown: a globe that shows nothing may
// have nothing to load.
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
  await until(page, `globalThis.settled.frames >= ${frames}`, timeoutMs);
}
