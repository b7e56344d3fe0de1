// How many colours a picture has.
import type {Page} from 'playwright-core';
import {pixelsOf} from './pixels';

// How many colours a square of the picture has. Only every fourth pixel counts.
export async function coloursOf(page: Page, from: number, to: number): Promise<number> {
  const pixels = await pixelsOf(page);
  const colours = new Set<string>();
  for (let y = from; y < to; y += 4) {
    for (let x = from; x < to; x += 4) colours.add(pixels.at(x, y).join());
  }
  return colours.size;
}
