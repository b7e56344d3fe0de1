// The example page of MapLibre, with the stock release.
import {describe, expect, it} from 'vitest';
import {until, type Watched} from './harness/browser';
import {coloursOf} from './harness/colours';
import {openExample} from './harness/examples';
import {browser, server, useBrowser} from './harness/fixture';

useBrowser();

// Opens the page and waits until all of its tiles are drawn.
async function openMap(world: string): Promise<Watched> {
  const watched = await openExample(browser, server, 'maplibre/', {world}, {width: 400, height: 400});
  // Before the map exists, `map` is the element with this id.
  await until(
    watched.page, 'map.loaded?.() && map.areTilesLoaded() && !map.isMoving()', 60_000);
  return watched;
}

describe('the example of MapLibre', () => {
  it('shows the ground of a plane', async () => {
    const {page, faults} = await openMap('shire');
    expect(faults).toEqual([]);
    expect(await coloursOf(page, 150, 350)).toBeGreaterThan(100);
  });

  it('shows a planet as a globe', async () => {
    const {page, faults} = await openMap('marble');
    expect(faults).toEqual([]);
    expect(await coloursOf(page, 150, 250)).toBeGreaterThan(20);
    // Space around the globe.
    expect(await coloursOf(page, 0, 20)).toBe(1);
  });
});
