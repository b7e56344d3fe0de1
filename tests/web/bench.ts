// Measures how soon the viewer shows ground and how evenly it flies: `npm run bench`. Prints rows
// for tests/bench/README.md.
import {readFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {type Page, chromium} from 'playwright-core';
import {chromiumOptions, watchedPage} from './harness/browser';
import {startServer} from './harness/server';

const flightS = 20;
const start = 'world=shire&east=7680&south=30000&height=1500&heading=0&pitch=-18';

interface Flight {
  times: number[];
  tiles: number;
}

// The milliseconds from the page's request to its first ground, and to the complete view.
async function open(page: Page, url: string): Promise<{ground: number; settled: number}> {
  await page.goto(url, {waitUntil: 'commit'});
  const began = await page.evaluate(() => performance.timeOrigin);
  await page.waitForFunction(() => document.body?.classList.contains('ready'), undefined, {polling: 20});
  const ground = Date.now() - began;
  await page.waitForFunction(
    () => (globalThis as any).thalweg.settled, undefined, {polling: 50, timeout: 90_000});
  return {ground, settled: Date.now() - began};
}

// The milliseconds of each frame in a flight over the ground, with turns, at 250 m/s.
function fly(page: Page): Promise<Flight> {
  return page.evaluate(async (seconds) => {
    const {viewer} = (globalThis as any).thalweg;
    const times: number[] = [];
    const began = performance.now();
    let last = began;
    while (last - began < 1000 * seconds) {
      const now: number = await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(now - last);
      const step = Math.min(now - last, 100) / 1000;
      last = now;
      viewer.rig.glide(250 * step, 0, 0);
      viewer.rig.turn(8 * step * Math.sin((now - began) / 3000), 0);
    }
    return {times: times.slice(2), tiles: viewer.terrain.loader.counts.requests};
  }, flightS);
}

function row(name: string, {times, tiles}: Flight): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string =>
    sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)]!.toFixed(0);
  const long = sorted.filter((time) => time > 100).length;
  return `| ${name} | ${times.length} | ${at(0.5)} | ${at(0.9)} | ${at(0.99)} | ${at(1)} | ${long} | ${tiles} |`;
}

const server = await startServer();
const browser = await chromium.launch(chromiumOptions);
try {
  const size = {viewport: {width: 640, height: 360}};
  const url = `${server.url}/#${start}`;
  for (const name of ['cold', 'warm', 'warm']) {
    const {page} = await watchedPage(browser, server.url, size);
    const {ground, settled} = await open(page, url);
    console.log(`${name}: first ground after ${ground} ms, all after ${settled} ms`);
    if (name === 'warm') console.log(row('flight', await fly(page)));
    else await fly(page);
    await page.context().close();
  }
  let bytes = 0;
  for (const file of ['viewer.js', 'decode_worker.js']) {
    const path = new URL(`../../build/release/client/web/dist/assets/${file}`, import.meta.url);
    bytes += gzipSync(readFileSync(path)).length;
  }
  console.log(`scripts: ${(bytes / 1000).toFixed(0)} kB compressed (gzip)`);
} finally {
  await browser.close();
  await server.stop();
}
