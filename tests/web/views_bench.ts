// Measures how soon the viewer shows whole pictures: `npm run bench:views -- [--runs N] [--cold] [--shots DIR] [VIEW...]`. Each run has
// a fresh server. Unless --cold is given the page is loaded twice: the second load shows what the browser alone takes, if all tiles
// fit in the server's cache. Prints a row for each load, and medians.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {type Page, chromium} from 'playwright-core';
import {chromiumOptions, watchedPage} from './harness/browser';
import {processorSeconds} from './harness/processor_time';
import {bytesOf, startServer} from './harness/server';

const views: Readonly<Record<string, string>> = {
  first: 'world=alpine',
  near: 'world=alpine&east=-477440&south=-79017&height=2734.6&heading=0&pitch=-10',
  disc: 'world=blue-planet',
};
const size = {viewport: {width: 1280, height: 720}};
const settleMs = 300_000;
const earlyMs = 3000;

// What was drawn at a time after the page's request.
interface Sample {
  readonly ms: number;
  // The largest error in the picture, in its pixels; infinite while ground is missing.
  readonly coarsestPx: number;
  readonly whole: boolean;
  readonly settled: boolean;
}

interface Load {
  readonly groundMs: number;
  // When nothing in the picture was coarser than 16 pixels any more.
  readonly finerMs: number;
  readonly wholeMs: number;
  readonly settledMs: number;
  readonly earlyPx: number;
  readonly requests: number;
  readonly cancelled: number;
  readonly megabytes: number;
  // Tiles that came and were in no drawn set.
  readonly undrawn: number;
  readonly frames: number;
  readonly serverS: number;
  readonly browserS: number;
  readonly blocks: number;
}

// Runs in the page: notes what is drawn, ten times a second.
function watch(): void {
  const page = globalThis as any;
  const samples: Sample[] = [];
  const drawn = new Set<string>();
  page.watched = {samples, drawn, frames: 0};
  const look = (): void => {
    const viewer = page.thalweg?.viewer;
    if (!viewer?.terrain) return;
    if (!page.watched.draw) {
      page.watched.draw = viewer.picture.draw;
      viewer.picture.draw = (terrain: unknown) => {
        ++page.watched.frames;
        page.watched.draw.call(viewer.picture, terrain);
      };
    }
    const {terrain, eye, picture: {painter}} = viewer;
    const {view, surface} = eye;
    const pixels = view.viewportHeightPx / (2 * Math.tan(view.verticalFovDeg * Math.PI / 360));
    let coarsestPx = terrain.drawable.complete ? 0 : Infinity;
    for (const key of terrain.drawable.tiles) {
      const name = `${key.face}/${key.level}/${key.x}/${key.y}`;
      drawn.add(name);
      if (!painter.painted.get(name)?.mesh.visible) continue;
      const facts = terrain.factsToShow(surface.grid, key);
      const cellM = surface.grid.cellSizeM * 2 ** -key.level;
      const finest = key.level + 1 >= surface.grid.levels;
      const errorM = key.level > 0 ? facts.geometricError / 65536 / 2 : cellM / 2;
      const heights = {min: facts.minHeight / 65536, max: facts.maxHeight / 65536};
      const {distanceM, horizontalM} = surface.sightOf(
        key, heights, {position: view.position, frustum: {mayShow: () => true}, lowestM: undefined});
      if (finest || horizontalM > view.rangeM) continue;
      coarsestPx = Math.max(coarsestPx, Math.max(errorM, cellM / 64) * pixels / distanceM);
    }
    samples.push({
      ms: performance.now(), coarsestPx, settled: page.thalweg.settled,
      whole: page.thalweg.viewer.whole ?? page.thalweg.settled,
    });
  };
  setInterval(look, 100);
}

async function blocksOf(url: string): Promise<number> {
  const text = new TextDecoder().decode(await bytesOf(`${url}/metrics`));
  return [...text.matchAll(/^thalweg_device_blocks_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
}

async function load(page: Page, server: {url: string; pid: number}, view: string, shots?: string): Promise<Load> {
  await page.addInitScript(`(${watch.toString()})()`);
  const [serverBefore, browserBefore] = [processorSeconds(server.pid), processorSeconds(process.pid, server.pid)];
  const blocksBefore = await blocksOf(server.url);
  await page.goto(`${server.url}/#${views[view]}`, {waitUntil: 'commit'});
  if (shots) {
    await page.waitForFunction((ms) => performance.now() > ms, earlyMs, {polling: 20});
    await page.screenshot({path: `${shots}-early.png`, timeout: settleMs});
  }
  await page.waitForFunction(() => (globalThis as any).watched.samples.some(({settled}: Sample) => settled), undefined,
    {polling: 100, timeout: settleMs});
  const [serverS, browserS] = [
    processorSeconds(server.pid) - serverBefore, processorSeconds(process.pid, server.pid) - browserBefore];
  if (shots) await page.screenshot({path: `${shots}-end.png`, timeout: settleMs});
  const seen = await page.evaluate((earlyMs) => {
    const {watched: {samples, drawn, frames}, thalweg: {viewer}} = globalThis as any;
    const first = (is: (sample: Sample) => boolean): number => samples.find(is)?.ms ?? Infinity;
    const {counts} = viewer.terrain.loader;
    return {
      groundMs: first(({coarsestPx}) => Number.isFinite(coarsestPx)),
      finerMs: first(({coarsestPx}) => coarsestPx <= 16),
      wholeMs: first(({whole}) => whole), settledMs: first(({settled}) => settled),
      earlyPx: [...samples].reverse().find(({ms}: Sample) => ms <= earlyMs)?.coarsestPx ?? Infinity,
      requests: counts.requests, cancelled: counts.cancelled, megabytes: counts.bytes / 1e6,
      undrawn: [...viewer.terrain.tiles.keys()].filter((name: string) => !drawn.has(name)).length, frames,
    };
  }, earlyMs);
  return {...seen, serverS, browserS, blocks: await blocksOf(server.url) - blocksBefore};
}

const columns: readonly (keyof Load)[] = [
  'groundMs', 'earlyPx', 'finerMs', 'wholeMs', 'settledMs', 'requests', 'cancelled', 'undrawn', 'megabytes', 'frames', 'blocks',
  'serverS', 'browserS'];

function row(name: string, loaded: Load): string {
  return `| ${name} | ${columns.map((column) => Number(loaded[column].toFixed(column.endsWith('S') ? 1 : 0))).join(' | ')} |`;
}

function medianOf(loads: readonly Load[]): Load {
  const of = (column: keyof Load): number => loads.map((one) => one[column]).sort((a, b) => a - b)[loads.length >> 1]!;
  return Object.fromEntries(columns.map((column) => [column, of(column)])) as unknown as Load;
}

const words = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = words.indexOf(name);
  return at < 0 ? undefined : words.splice(at, 2)[1];
};
const runs = Number(option('--runs') ?? 1);
const shots = option('--shots');
const isColdOnly = words.includes('--cold');
const names = isColdOnly ? ['cold'] as const : ['cold', 'warm'] as const;
if (shots) mkdirSync(shots, {recursive: true});
console.log(`| load | ${columns.join(' | ')} |`);
const chosen = words.filter((word) => word !== '--cold');
for (const view of chosen.length > 0 ? chosen : Object.keys(views)) {
  if (!(view in views)) throw new Error(`invalid view ${view}: expected one of ${Object.keys(views).join(', ')}`);
  const loads: Record<'cold' | 'warm', Load[]> = {cold: [], warm: []};
  for (let run = 0; run < runs; ++run) {
    const server = await startServer('--device', 'native');
    const browser = await chromium.launch(chromiumOptions);
    try {
      for (const name of names) {
        const {page} = await watchedPage(browser, server.url, size);
        const loaded = await load(page, server, view, shots && run === 0 ? join(shots, `${view}-${name}`) : undefined);
        console.log(row(`${view}, ${name}`, loaded));
        loads[name].push(loaded);
        await page.context().close();
      }
    } finally {
      await browser.close();
      await server.stop();
    }
  }
  if (runs > 1) for (const name of names) console.log(row(`${view}, ${name}, median`, medianOf(loads[name])));
}
