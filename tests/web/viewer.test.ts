// The viewer in a real browser, over a real server.
import {gzipSync} from 'node:zlib';
import type {Page} from 'playwright-core';
import {describe, expect, it} from 'vitest';
import {watchedPage} from './harness/browser';
import {serveFiles} from './harness/files';
import {browser, faults, page, server, usePage} from './harness/fixture';
import {fewOrAll} from './harness/size';
import {
  Holes, background, backgroundPixels, colorCount, difference, goTo, maxHoles, openView, pictureOf, probe,
  settle, unevenness, worldId,
} from './harness/viewer_page';

const world = 'world=shire';
const home = `${world}&east=7680&south=12000&height=2600&heading=0&pitch=-25`;
// The side of a tile of level 0 in metres, with cells of 512 m.
const sideM = 131072n;
const maxScriptBytes = 350_000;

usePage();

// The browser itself reports that a world is not found.
const dropNotFound = (): void => {
  expect(faults.splice(0).filter((fault) => !fault.includes('404'))).toEqual([]);
};

const worldNames = async (): Promise<string[]> => {
  const {worlds} = await (await fetch(`${server.url}/v1/worlds`)).json() as {worlds: {name: string}[]};
  return worlds.map(({name}) => name);
};

// Opens a link to a changed world, which the server may have to create first.
const openChanged = async (
  target: Page, origin: string, fragment: string, detail = 0): Promise<void> => {
  await target.goto(`${origin}/?detail=${detail}#${fragment}`);
  await target.waitForFunction(() => document.querySelector('#create-world') !== null ||
    (globalThis as any).thalweg?.viewer.world !== undefined);
  await (await target.$('#create-world'))?.click();
  await settle(target);
  dropNotFound();
};

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('the page', () => {
  it('shows terrain', async () => {
    await openView(page, server.url, world);
    expect(colorCount(await pictureOf(page))).toBeGreaterThan(25);
    expect(await page.textContent('#world-name')).toBe('shire');
    expect(await page.title()).toBe('shire · Thalweg');
  });

  it('is small', async () => {
    let bytes = 0;
    page.on('response', (response) => {
      if (!/\.js$/.test(new URL(response.url()).pathname)) return;
      void response.body().then((body) => { bytes += gzipSync(body).length; });
    });
    await openView(page, server.url, home);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(maxScriptBytes);
  });

  it('notices another origin and an error', async () => {
    const twin = await watchedPage(browser, server.url);
    await openView(twin.page, server.url, home);
    await twin.page.evaluate(async () => {
      console.error('twin');
      await fetch('http://127.0.0.2:9/').catch(() => undefined);
    });
    expect(twin.faults).toContain('console: twin');
  });

  it('says that a world is unknown', async () => {
    await page.goto(`${server.url}/#world=nowhere`);
    await page.waitForSelector('#notice:not([hidden])');
    expect(await page.textContent('#notice')).toContain('nowhere');
    // The browser itself reports the 404.
    expect(faults.splice(0).every((fault) => fault.includes('404'))).toBe(true);
  });
});

describe('places', () => {
  const far = 2n ** 40n - 2n;
  const middle = (tile: bigint): string => String(tile * sideM + sideM / 2n);
  const places: readonly (readonly [string, string])[] = [
    ['home', 'east=7680&south=12000&height=2600&heading=0&pitch=-25'],
    ['a thousand kilometres off', 'east=-813000.5&south=640250&height=2400&heading=135&pitch=-25'],
    ['2^40 tiles south-east', `east=${middle(far)}&south=${middle(far)}&height=9000&pitch=-30`],
    ['2^40 tiles north-west', `east=${middle(-far)}&south=${middle(-far)}&height=9000&pitch=-30`],
    ['2^40 tiles of the finest level east',
      `east=${(2n ** 40n - 8n) * 64n}&south=5000&height=2500&heading=270&pitch=-40`],
  ];

  it('of a link stay, even if the page writes its address before it hears of the link', async () => {
    await openView(page, server.url, home);
    await page.evaluate((fragment) => {
      location.hash = fragment;
      document.getElementById('link')!.click();
    }, `${world}&${places[1]![1]}&layer=relief`);
    await settle(page);
    expect(page.url()).toContain('east=-813000');
  });

  it('have ground at any distance', async () => {
    await openView(page, server.url, home);
    for (const [name, place] of fewOrAll([places[0]!, places[3]!], places)) {
      // Forest would have only one colour.
      await goTo(page, `${world}&${place}&layer=relief`);
      await probe(page, {background});
      const picture = await pictureOf(page);
      const share = 1 - await backgroundPixels(page) / (picture.width * picture.height);
      expect(share, name).toBeGreaterThan(0.5);
      expect(colorCount(picture), name).toBeGreaterThan(4);
      await probe(page, {});
      expect(page.url().replace(/\.\d+/g, ''), name).toContain(/east=[^&.]*/.exec(place)![0]);
    }
  });

  it('are exact to the metre where doubles are not', async () => {
    await openView(page, server.url, `${world}&${places[2]![1]}`);
    await page.waitForFunction(() => document.querySelector('#readout .place') !== null);
    const [east] = (await page.textContent('#readout .place'))!.split('·');
    expect(east!.replace(/\D/g, '')).toMatch(/^1441151880756\d{5}$/);
  });
});

describe('seams', () => {
  // A flight over rough ground. It sees no sky, and levels change on its way.
  const above =
    `${world}&east=7680&south=12000&height=3500&heading=30&pitch=-41&set=roughness:3,relief:2`;

  async function fly(skirts: boolean): Promise<Holes> {
    await openChanged(page, server.url, above, 1);
    await probe(page, {background, skirts});
    return maxHoles(page, {frames: 50, step: [60, 10, -15]});
  }

  it('show no background while levels change', async () => {
    const {holes, sets, levels} = await fly(true);
    expect(sets).toBeGreaterThan(2);
    expect(levels).toBeGreaterThan(2);
    expect(holes).toBe(0);
  });

  it('show the background without skirts', async () => {
    expect((await fly(false)).holes).toBeGreaterThan(0);
  });
});

describe('a link', () => {
  it('shows the same picture', async () => {
    await openView(page, server.url, `${home}&layer=slope&sun=120,40&contours=50`);
    await page.evaluate(() => {
      const {viewer} = (globalThis as unknown as {thalweg: {viewer: any}}).thalweg;
      viewer.rig.glide(800, -300, 90);
      viewer.rig.turn(31, -4);
    });
    await settle(page);
    await page.waitForFunction(() => location.hash.includes('heading=31'));
    const first = await pictureOf(page);
    const other = await watchedPage(browser, server.url);
    await openView(other.page, server.url, new URL(page.url()).hash.slice(1));
    const second = await pictureOf(other.page);
    expect(difference(first, second)).toBeLessThan(0.5);
    // The twin: the comparison finds another view.
    await goTo(other.page, `${home}&layer=slope&sun=300,40&contours=50`);
    expect(difference(first, await pictureOf(other.page))).toBeGreaterThan(2);
    expect(other.faults).toEqual([]);
  });

  it('may have an interval of contours that the panel does not offer', async () => {
    await openView(page, server.url, `${home}&contours=75`);
    expect(await page.inputValue('#contours')).toBe('75');
    expect(await page.textContent('#contours')).toContain('75 m');
  });

  it('holds a changed world', async () => {
    await openChanged(page, server.url, `${home}&set=relief:1.5,sea:100`);
    const id = await worldId(page);
    const other = await watchedPage(browser, server.url);
    await openView(other.page, server.url, new URL(page.url()).hash.slice(1));
    expect(await worldId(other.page)).toBe(id);
  });

  it('creates no world by itself', async () => {
    const posts: string[] = [];
    page.on('request', (request) => { if (request.method() === 'POST') posts.push(request.url()); });
    const before = await worldNames();
    await page.goto(`${server.url}/?detail=0#${home}&set=relief:1.7`);
    await page.waitForSelector('dialog #create-world');
    expect(await page.textContent('dialog')).toContain('Relief × 1.70');
    // A key that was meant for another page does not create it either.
    await press('Enter');
    await settle(page);
    expect(await page.textContent('#world-name')).toBe('shire');
    // Another link, which replaces the first one, does not create it either.
    await page.evaluate((hash) => { location.hash = hash; }, `${home}&set=relief:1.8`);
    await page.waitForSelector('dialog #not-create');
    await page.click('#not-create');
    await settle(page);
    expect(posts).toEqual([]);
    expect(await worldNames()).toEqual(before);
    // The twin: a click creates the world.
    const id = await worldId(page);
    await page.evaluate((hash) => { location.hash = hash; }, `${home}&set=relief:1.9`);
    await page.click('#create-world');
    await page.waitForFunction((old) => (globalThis as any).thalweg.viewer.world.id !== old, id);
    await settle(page);
    expect(posts).toHaveLength(1);
    expect(await worldNames()).toHaveLength(before.length + 1);
    dropNotFound();
  });

  it('cannot be framed by another site', async () => {
    const site = await serveFiles({'/': ['text/html',
      `<!doctype html><iframe src="${server.url}/#${home}&set=relief:1.6"></iframe>`]});
    const other = await watchedPage(browser, site.url);
    const before = await worldNames();
    await other.page.goto(site.url);
    await other.page.waitForFunction(() => document.readyState === 'complete');
    await expect.poll(() => other.faults.join()).toMatch(/frame-ancestors|X-Frame-Options/);
    expect(await other.page.frames()[1]!.$('#view')).toBeNull();
    expect(await worldNames()).toEqual(before);
    await site.stop();
  });

  it('opened by another site gives it no handle on the window', async () => {
    const site = await serveFiles({'/': ['text/html', '<!doctype html><p>Another site</p>']});
    const context = page.context();
    const opener = await context.newPage();
    await opener.goto(site.url);
    const opened = context.waitForEvent('page');
    await opener.evaluate((url) => { Object.assign(globalThis, {held: window.open(url)}); },
      `${server.url}/?detail=0#${home}`);
    await settle(await opened);
    expect(await opener.evaluate(() => (globalThis as unknown as {held: Window}).held.closed)).toBe(true);
    await site.stop();
  });
});

describe('worlds', () => {
  it('evicted for others are created again', async () => {
    await openView(page, server.url, home);
    await page.focus('#parameter-relief');
    for (let n = 0; n < 3; ++n) await press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('set=relief:1.15'));
    await settle(page);
    const id = await worldId(page);
    expect((await fetch(`${server.url}/v1/worlds/${id}`, {method: 'DELETE'})).status).toBe(204);
    await page.evaluate(() => {
      location.hash = location.hash.replace(/east=[^&]*/, 'east=400000');
    });
    await page.waitForFunction(() =>
      (globalThis as any).thalweg.viewer.terrain.loader.counts.failed > 0);
    await settle(page);
    expect(await worldId(page)).toBe(id);
    expect((await fetch(`${server.url}/v1/worlds/${id}`)).status).toBe(200);
    dropNotFound();
  });

  it('change with a slider', async () => {
    await openView(page, server.url, home);
    const [id, before] = [await worldId(page), await pictureOf(page)];
    await page.focus('#parameter-relief');
    for (let n = 0; n < 8; ++n) await press('ArrowRight');
    await page.waitForFunction(
      (old) => (globalThis as any).thalweg.viewer.world.id !== old, id);
    await page.waitForFunction(() => location.hash.includes('set=relief:1.4'));
    await settle(page);
    expect(difference(before, await pictureOf(page))).toBeGreaterThan(2);
    await page.click('#reset');
    await page.waitForFunction((old) => (globalThis as any).thalweg.viewer.world.id === old, id);
    await settle(page);
    expect(difference(before, await pictureOf(page))).toBeLessThan(0.5);
  });

  it('change with the seed', async () => {
    await openView(page, server.url, home);
    const before = await pictureOf(page);
    await page.fill('#seed', '77');
    await press('Enter');
    await page.waitForFunction(() => location.hash.includes('world=shire@77'));
    await settle(page);
    expect(difference(before, await pictureOf(page))).toBeGreaterThan(2);
  });

  it('are chosen by their pictures', async () => {
    await openView(page, server.url, home);
    // Pictures of presets would take a processor long, so they are replaced by a dot.
    const dot = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const {worlds} = await (await fetch(`${server.url}/v1/worlds`)).json() as
      {worlds: {id: string; name: string}[]};
    const own = worlds.filter(({name}) => ['marsh', 'shire'].includes(name)).map(({id}) => id);
    await page.route('**/tiles/**.png*', (route) => own.some((id) => route.request().url().includes(id))
      ? route.continue() : route.fulfill({contentType: 'image/png', body: dot}));
    await page.click('#worlds');
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>(
      '#world-list button[data-world=marsh] img')?.naturalWidth === 256);
    await page.click('#world-list button[data-world=marsh]');
    await page.waitForFunction(
      () => document.querySelector('#world-name')!.textContent === 'marsh');
    await settle(page);
    expect(page.url()).toContain('world=marsh');
  });
});

describe('layers', () => {
  it('each have their own picture and legend', async () => {
    await openView(page, server.url, 'world=marsh');
    const pictures = [];
    const legends = new Set<string>();
    for (const layer of ['satellite', 'relief', 'heights', 'slope', 'flow', 'water', 'sediment', 'vegetation']) {
      await page.locator(`#layers input[value=${layer}]`).check({force: true});
      await page.waitForFunction((name) =>
        name === 'satellite' || location.hash.includes(`layer=${name}`), layer);
      await settle(page);
      pictures.push(await pictureOf(page));
      legends.add((await page.textContent('#legend'))!);
    }
    for (const [n, one] of pictures.entries()) {
      for (const other of pictures.slice(n + 1)) {
        expect(difference(one, other)).toBeGreaterThan(0.8);
      }
    }
    // Relief and heights have the same scale, with two sets of colours.
    expect(legends.size).toBe(7);
    const [classes, ...scales] = legends;
    expect(classes).toContain('Forest');
    expect(scales.every((text) => /, (m|°|km²|%)\d/.test(text))).toBe(true);
  });

  it('missing in a world cannot be chosen', async () => {
    await openView(page, server.url, home);
    expect(await page.isDisabled('#layers input[value=vegetation]')).toBe(true);
    expect(await page.isDisabled('#layers input[value=water]')).toBe(false);
  });

  it('are lit by the sun where it stands', async () => {
    await openView(page, server.url, home);
    const before = await pictureOf(page);
    await page.click('summary:has-text("Sun")');
    await page.fill('#sun-azimuth', '90');
    await page.waitForFunction(() => location.hash.includes('sun=90,38'));
    await settle(page);
    expect(difference(before, await pictureOf(page))).toBeGreaterThan(2);
  });
});

describe('the sea', () => {
  // A bay of the shire, some metres deep.
  const bay = `${world}&east=-44415&south=47692&heading=300`;

  it('has waves near the eye, which stand still', async () => {
    await openView(page, server.url, `${bay}&height=4&pitch=-25`);
    const near = await pictureOf(page);
    expect(unevenness(near)).toBeGreaterThan(0.02);
    expect(difference(near, await pictureOf(page))).toBe(0);
    // The twin: the relief's water is level.
    await goTo(page, `${bay}&height=4&pitch=-25&layer=relief`);
    expect(unevenness(await pictureOf(page))).toBeLessThan(0.1 * unevenness(near));
  });
});

describe('tiles', () => {
  it('out of view are not waited for', async () => {
    const held: (() => void)[] = [];
    await openView(page, server.url, home);
    await page.route('**/tiles/**', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    const aborted = page.waitForEvent('requestfailed', {timeout: 30_000});
    await page.evaluate(() => { location.hash = location.hash.replace('east=7680', 'east=900000'); });
    await page.waitForFunction(
      () => (globalThis as any).thalweg.viewer.terrain.loader.inFlight > 0);
    await page.evaluate(() => { location.hash = location.hash.replace('east=900000', 'east=-900000'); });
    expect((await aborted).failure()!.errorText).toBe('net::ERR_ABORTED');
    await page.unroute('**/tiles/**');
    for (const release of held) release();
    await settle(page);
    expect(await page.evaluate(
      () => (globalThis as any).thalweg.viewer.terrain.loader.counts.cancelled)).toBeGreaterThan(0);
  });

  it('arrive once the server is available again', async () => {
    let refused = 0;
    await page.route('**/tiles/**', async (route) => {
      if (++refused <= 3) await route.fulfill({status: 503, body: ''});
      else await route.continue();
    });
    await openView(page, server.url, home);
    expect(refused).toBeGreaterThan(3);
    // The browser itself reports the 503.
    expect(faults.splice(0).every((fault) => fault.includes('503'))).toBe(true);
  });
});

describe('the keyboard without a mouse', () => {
  it('moves, chooses, measures and closes', async () => {
    await openView(page, server.url, home);
    await press('Tab');
    await page.focus('#view');
    const address = page.url();
    await page.keyboard.down('ArrowUp');
    await page.waitForFunction((old) => location.href !== old, address);
    await page.keyboard.up('ArrowUp');
    await press('4');
    await page.waitForFunction(() => location.hash.includes('layer=slope'));
    await press('c');
    await page.waitForFunction(() => location.hash.includes('contours=auto'));
    await press('?');
    await page.waitForSelector('dialog[open]');
    await press('Escape');
    await page.waitForSelector('dialog', {state: 'detached'});
    await settle(page);
    await press('p', 'Enter');
    const aside = page.url();
    await page.keyboard.down('ArrowRight');
    await page.waitForFunction((old) => location.href !== old, aside);
    await page.keyboard.up('ArrowRight');
    await settle(page);
    await press('Enter');
    await page.waitForSelector('#profile svg .ground');
    await press('Escape');
    await page.waitForSelector('#profile', {state: 'hidden'});
    await press('o');
    await page.waitForSelector('dialog #world-list button[aria-current]');
    await press('Shift+Tab', 'Enter');
    await page.waitForFunction(() => !location.hash.includes('world=shire'));
  });

  it('reaches every control of the panel', async () => {
    await openView(page, server.url, home);
    const reached = new Set<string>();
    await page.focus('#view');
    for (let n = 0; n < 40; ++n) {
      await press('Tab');
      const name = await page.evaluate(() => {
        const active = document.activeElement as HTMLInputElement | null;
        return active?.id || active?.name || active?.tagName || '';
      });
      reached.add(name);
      if (name === 'view') break;
    }
    for (const name of ['worlds', 'toggle', 'mode', 'start-profile', 'screenshot', 'link', 'layer',
      'contours', 'seed', 'dice', 'parameter-relief', 'parameter-sea', 'SUMMARY']) {
      expect([...reached]).toContain(name);
    }
  });
});

describe('tools', () => {
  it('save the picture', async () => {
    await openView(page, server.url, home, 1);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#screenshot')]);
    expect(download.suggestedFilename()).toBe('shire.png');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const png = Buffer.concat(chunks);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([720, 400]);
    expect(png.length).toBeGreaterThan(20_000);
  });

  it('show the ground under the pointer, and statistics', async () => {
    await openView(page, server.url, home);
    await page.mouse.move(360, 330);
    await page.mouse.move(340, 340);
    await page.waitForSelector('#readout .height');
    expect(await page.textContent('#readout')).toMatch(/ m.*E .*S .*level \d+/);
    await page.click('summary:has-text("Statistics")');
    await page.waitForSelector('#statistics dd');
    expect(await page.textContent('#statistics')).toMatch(/Bytes[\d.]+ (kB|MB)/);
  });

  it('drag the ground along with the pointer', async () => {
    await openView(page, server.url, home);
    const before = await page.evaluate(() => {
      const {viewer} = (globalThis as any).thalweg;
      return viewer.picker.pick(320, 280).place;
    });
    await page.mouse.move(320, 280);
    await page.mouse.down();
    await page.mouse.move(300, 250, {steps: 6});
    await page.mouse.up();
    await settle(page);
    const after = await page.evaluate(() => (globalThis as any).thalweg.viewer.picker.pick(300, 250).place);
    expect(Math.abs(after.eastM - before.eastM)).toBeLessThan(150);
    expect(Math.abs(after.southM - before.southM)).toBeLessThan(150);
  });
});

describe('a phone', () => {
  it('shows the ground, and the panel on request', async () => {
    const phone = await watchedPage(browser, server.url,
      {viewport: {width: 390, height: 780}, hasTouch: true, isMobile: true});
    await openView(phone.page, server.url, home);
    expect(await phone.page.isVisible('#panel')).toBe(false);
    await phone.page.tap('#toggle');
    expect(await phone.page.isVisible('#panel')).toBe(true);
    const box = (await phone.page.locator('#panel').boundingBox())!;
    expect(box.y).toBeGreaterThan(300);
    expect(box.width).toBeLessThanOrEqual(390);
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await phone.page.tap('#toggle');
    const address = phone.page.url();
    const client = await phone.page.context().newCDPSession(phone.page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      client.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
    await touch('touchStart', [150, 500], [250, 500]);
    for (let n = 1; n <= 6; ++n) await touch('touchMove', [150 - 8 * n, 500], [250 + 8 * n, 500]);
    await touch('touchEnd');
    await phone.page.waitForFunction((old) => location.href !== old, address);
    expect(phone.faults).toEqual([]);
  });
});
