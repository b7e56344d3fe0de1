// The example page of MapLibre, with the stock release from npm beside it.
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {launch, watchedPage} from './harness/browser';
import {Site, serveFiles} from './harness/files';
import {pixelsOf} from './harness/pixels';
import {Server, startServer} from './harness/server';

const example = fileURLToPath(new URL('../../client/examples/maplibre/', import.meta.url));
const library = join(
  dirname(createRequire(import.meta.url).resolve('maplibre-gl/package.json')), 'dist/');
const size = {width: 400, height: 400};

let server: Server;
let browser: Browser;
let site: Site;

beforeAll(async () => {
  [server, browser, site] = await Promise.all([
    startServer(), launch(),
    serveFiles({'/favicon.ico': ['image/x-icon', '']},
      {'/map/maplibre-gl/': library, '/map/': example}),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await server?.stop();
});

// Opens the page and waits until all of its tiles are drawn.
async function openMap(world: string): Promise<{page: Page; faults: string[]}> {
  const {page, faults} = await watchedPage(browser, site.url, {viewport: size});
  await page.goto(`${site.url}/map/index.html?${new URLSearchParams({server: server.url, world})}`);
  await page.waitForFunction('globalThis.map !== undefined');
  await page.waitForFunction(
    'globalThis.map.loaded() && globalThis.map.areTilesLoaded() && !globalThis.map.isMoving()',
    undefined, {timeout: 60_000});
  return {page, faults: faults.filter((fault) => !fault.includes(server.url))};
}

// How many colours a square of the picture has, of its pixels in steps of 4.
async function coloursOf(page: Page, from: number, to: number): Promise<number> {
  const pixels = await pixelsOf(page);
  const colours = new Set<string>();
  for (let y = from; y < to; y += 4) {
    for (let x = from; x < to; x += 4) colours.add(pixels.at(x, y).join());
  }
  return colours.size;
}

describe('the example of MapLibre', () => {
  it('shows the ground of a plane', async () => {
    const {page, faults} = await openMap('shire');
    expect(faults).toEqual([]);
    expect(await coloursOf(page, 150, 350)).toBeGreaterThan(100);
    await page.context().close();
  });

  it('shows a planet as a globe', async () => {
    const {page, faults} = await openMap('marble');
    expect(faults).toEqual([]);
    expect(await coloursOf(page, 150, 250)).toBeGreaterThan(20);
    // Space around it.
    expect(await coloursOf(page, 0, 20)).toBe(1);
    await page.context().close();
  });
});
