// The viewer's page, for tests.
import type {Page} from 'playwright-core';
import {fewOrAll} from './size';

// The part of the page's `thalweg` that tests use.
interface Probe {
  settled: boolean;
  viewer: {
    picture: {tilesShown: number};
    world?: {id: string; spec: {name: string}};
    terrain?: {
      drawable: {tiles: {face: number; level: number; x: number; y: number}[]; complete: boolean};
      loader: {inFlight: number; counts: {cancelled: number; failed: number}};
    };
    stage: {draw(): void; renderer: {getContext(): WebGL2RenderingContext}};
    rig: {
      pose: {heightM: number; headingDeg: number; pitchDeg: number};
      glide(...step: readonly [forwardM: number, rightM: number, upM: number]): void;
      turn(headingDeg: number, pitchDeg: number): void;
    };
    probe(options: {skirts?: boolean; background?: number[]}): void;
  };
}
declare const thalweg: Probe;

const settleMs = 90_000;

// Opens a link at a fixed detail (0 to 4), and waits until the viewer shows all that it can.
export async function openView(
  page: Page, origin: string, fragment: string, detail = 0): Promise<void> {
  await page.goto(`${origin}/?detail=${detail}#${fragment}`);
  await settle(page);
}

// Changes the address within the page.
export async function goTo(page: Page, fragment: string): Promise<void> {
  // The page's own listener was added first, so it runs before this one. If the address does not change,
  // there is no event.
  await page.evaluate((hash) => new Promise<unknown>((resolve) => {
    if (location.hash === `#${hash}`) return resolve(undefined);
    addEventListener('hashchange', resolve, {once: true});
    location.hash = hash;
  }), fragment);
  await settle(page);
}

export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    () => typeof thalweg !== 'undefined' && thalweg.settled && thalweg.viewer.picture.tilesShown > 0,
    undefined, {timeout: settleMs, polling: 100});
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  // RGBA, with rows from the lowest to the highest.
  readonly pixels: Uint8Array;
}

// The canvas's picture.
export async function pictureOf(page: Page): Promise<Picture> {
  const {width, height, text} = await page.evaluate(() => {
    const {stage} = thalweg.viewer;
    const gl = stage.renderer.getContext();
    stage.draw();
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const pixels = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let text = '';
    for (let n = 0; n < pixels.length; n += 32768) {
      text += String.fromCharCode(...pixels.subarray(n, n + 32768));
    }
    return {width, height, text: btoa(text)};
  });
  return {width, height, pixels: new Uint8Array(Buffer.from(text, 'base64'))};
}

// How many different colours the picture has, with four bits per channel.
export function colorCount({pixels}: Picture): number {
  const colors = new Set<number>();
  for (let n = 0; n < pixels.length; n += 4) {
    colors.add(((pixels[n]! >> 4) << 8) | ((pixels[n + 1]! >> 4) << 4) | (pixels[n + 2]! >> 4));
  }
  return colors.size;
}

// The mean difference of two pictures of the same size, from 0 to 255.
export function difference(a: Picture, b: Picture): number {
  if (a.pixels.length !== b.pixels.length) return 255;
  let sum = 0;
  for (let n = 0; n < a.pixels.length; ++n) sum += Math.abs(a.pixels[n]! - b.pixels[n]!);
  return sum / a.pixels.length;
}

// The share of bytes in the lower half of the picture that differ from those of the pixel above by more than dithering does.
export function unevenness({width, height, pixels}: Picture): number {
  const row = 4 * width;
  const count = row * Math.floor(height / 2);
  let uneven = 0;
  for (let n = 0; n < count; ++n) if (Math.abs(pixels[n]! - pixels[n + row]!) > 3) ++uneven;
  return uneven / count;
}

// A sky of one colour. No ground has this colour.
export const background = [1, 0, 1] as const;

// Whether the pixel that begins at this byte of the picture has the background's colour.
export function isBackground({pixels}: Picture, at: number): boolean {
  return pixels[at] === 255 && pixels[at + 1] === 0 && pixels[at + 2] === 255;
}

// How many pixels show the background.
export async function backgroundPixels(page: Page): Promise<number> {
  const picture = await pictureOf(page);
  let count = 0;
  for (let n = 0; n < picture.pixels.length; n += 4) {
    if (isBackground(picture, n)) ++count;
  }
  return count;
}

export interface Holes {
  // The largest number of background pixels in any frame.
  readonly holes: number;
  // How many sets of tiles were drawn, and of how many levels and faces.
  readonly sets: number;
  readonly levels: number;
  readonly faces: number;
}

// Flies a number of frames under a sky of one colour. `step` is each frame's way forward, right and up. A quick run draws
// every second frame.
export function maxHoles(
  page: Page, flight: {frames: number; step: readonly [number, number, number]}): Promise<Holes> {
  const times = fewOrAll(2, 1);
  const frames = Math.ceil(flight.frames / times);
  const step = flight.step.map((way) => way * times) as [number, number, number];
  return page.evaluate(async ({frames, step}) => {
    const {viewer} = thalweg;
    const gl = viewer.stage.renderer.getContext();
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const pixels = new Uint8Array(4 * width * height);
    const sets = new Set<string>();
    const levels = new Set<number>();
    const faces = new Set<number>();
    let holes = 0;
    for (let n = 0; n < frames; ++n) {
      viewer.rig.glide(...step);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      viewer.stage.draw();
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      let found = 0;
      for (let k = 0; k < pixels.length; k += 4) {
        if (pixels[k] === 255 && pixels[k + 1] === 0 && pixels[k + 2] === 255) ++found;
      }
      holes = Math.max(holes, found);
      const {tiles} = viewer.terrain!.drawable;
      sets.add(tiles.map(({face, level, x, y}) => `${face}/${level}/${x}/${y}`).join());
      for (const {face, level} of tiles) {
        levels.add(level);
        if (level > 0) faces.add(face);
      }
    }
    return {holes, sets: sets.size, levels: levels.size, faces: faces.size};
  }, {frames, step});
}

export async function probe(
  page: Page, options: {skirts?: boolean; background?: readonly number[]}): Promise<void> {
  await page.evaluate((chosen) => thalweg.viewer.probe(chosen as {skirts?: boolean}), options);
}

export async function worldId(page: Page): Promise<string> {
  return page.evaluate(() => thalweg.viewer.world?.id ?? '');
}
