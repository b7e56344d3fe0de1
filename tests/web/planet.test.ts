// Planets in the viewer, in a real browser over a real server.
import {describe, expect, it} from 'vitest';
import {watchedPage} from './harness/browser';
import {browser, page, server, usePage} from './harness/fixture';
import {fewOrAll} from './harness/size';
import {
  background, backgroundPixels, colorCount, difference, goTo, isBackground, maxHoles, openView, pictureOf, probe, settle,
  unevenness,
} from './harness/viewer_page';

const world = 'world=orb';
const ground = `${world}&lat=20.5&lon=30&height=2400&heading=30&pitch=-20`;
const radiusM = 300_000;

usePage();

// The page's own state, as JSON.
const ask = <T>(question: string): Promise<T> => page.evaluate(
  (text) => new Function('viewer', `return ${text}`)((globalThis as any).thalweg.viewer), question) as Promise<T>;

interface PlanetPose {
  readonly place: {readonly latitudeDeg: number; readonly longitudeDeg: number};
  readonly heightM: number;
  readonly headingDeg: number;
  readonly pitchDeg: number;
}

describe('a planet', () => {
  it('is shown whole first, and lit', async () => {
    await openView(page, server.url, world);
    expect(await ask('viewer.terrain.drawable.complete')).toBe(true);
    expect(colorCount(await pictureOf(page))).toBeGreaterThan(25);
    expect(page.url()).toMatch(/lat=20&lon=30&.*pitch=-90&sun=/);
    // With a sky of one colour, the planet is a disc of the right size without a hole.
    await probe(page, {background});
    const picture = await pictureOf(page);
    const {width, height} = picture;
    const pose = await ask<PlanetPose>('viewer.rig.pose');
    const sine = radiusM / (radiusM + pose.heightM);
    const half = height / 2 / Math.tan(25 * Math.PI / 180);
    const disc = Math.PI * (half * sine / Math.sqrt(1 - sine * sine)) ** 2;
    const drawn = width * height - await backgroundPixels(page);
    expect(drawn / disc).toBeGreaterThan(0.98);
    expect(drawn / disc).toBeLessThan(1.04);
    // In each row, there is no background between the disc's edges.
    for (let row = 0; row < height; ++row) {
      const isGround = (column: number): boolean => !isBackground(picture, 4 * (row * width + column));
      const columns = Array.from({length: width}, (_, n) => n).filter(isGround);
      if (columns.length > 0) expect(columns.at(-1)! - columns[0]! + 1).toBe(columns.length);
    }
  });

  it('has ground everywhere, poles and corners of faces included', async () => {
    await openView(page, server.url, ground);
    const all = ['lat=90&lon=0', 'lat=-35.2644&lon=-135', 'lat=-90&lon=0', 'lat=35.26438968&lon=45'];
    for (const place of all.slice(0, fewOrAll(2, all.length))) {
      await goTo(page, `${world}&${place}&height=40000&heading=10&pitch=-70&layer=relief&sun=300,40`);
      await probe(page, {background});
      expect(await backgroundPixels(page), place).toBe(0);
      expect(colorCount(await pictureOf(page)), place).toBeGreaterThan(4);
      await probe(page, {});
    }
  });

  it('has a sea with waves near the eye', async () => {
    // Some metres above an edge between two faces.
    const sea = `${world}&lat=42.8362&lon=-112&height=4&heading=250&pitch=-20&sun=250,35`;
    await openView(page, server.url, sea);
    const waves = unevenness(await pictureOf(page));
    expect(waves).toBeGreaterThan(0.02);
    await goTo(page, `${sea}&layer=relief`);
    expect(unevenness(await pictureOf(page))).toBeLessThan(0.1 * waves);
  });

  it('is entered from orbit to the ground without a jump', async () => {
    await openView(page, server.url, world);
    const steps = await page.evaluate(async () => {
      const {viewer} = (globalThis as any).thalweg;
      const heights: number[] = [];
      const turns: number[] = [];
      for (let n = 0; n < 90; ++n) {
        const before = viewer.rig.pose;
        const grip = viewer.picker.seenAlong(
          viewer.eye.rayAt(0.55 * viewer.canvas.clientWidth, 0.45 * viewer.canvas.clientHeight));
        viewer.rig.approach(grip, 0.12);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        heights.push(viewer.rig.pose.heightM / before.heightM);
        turns.push(viewer.rig.pose.pitchDeg - before.pitchDeg);
      }
      return {heights, turns, clearanceM: viewer.rig.clearanceM};
    });
    expect(steps.clearanceM).toBeLessThan(100);
    for (const turn of steps.turns) expect(Math.abs(turn)).toBeLessThan(2);
    // The camera descends steadily. Only ground that becomes finer lifts it.
    for (const factor of steps.heights.slice(0, 40)) {
      expect(factor).toBeGreaterThan(0.8);
      expect(factor).toBeLessThan(1);
    }
  });

  it('turns with the pointer, and keeps the ground under it', async () => {
    await openView(page, server.url, world);
    const place = (x: number, y: number): Promise<PlanetPose['place']> => ask(`viewer.picker.pick(${x}, ${y}).place`);
    const before = await place(320, 220);
    await page.mouse.move(320, 220);
    await page.mouse.down();
    await page.mouse.move(390, 170, {steps: 8});
    await page.mouse.up();
    await settle(page);
    const after = await place(390, 170);
    expect(Math.abs(after.latitudeDeg - before.latitudeDeg)).toBeLessThan(0.5);
    expect(Math.abs(after.longitudeDeg - before.longitudeDeg)).toBeLessThan(0.5);
    expect((await ask<PlanetPose>('viewer.rig.pose')).place.longitudeDeg).toBeLessThan(25);
  });

  it('turns with keys and with two fingers, and zooms', async () => {
    await openView(page, server.url, world);
    await page.focus('#view');
    for (const key of ['ArrowRight', 'ArrowUp', 'Equal', 'KeyE', 'PageUp']) {
      const address = page.url();
      await page.keyboard.down(key);
      await page.waitForFunction((old) => location.href !== old, address);
      await page.keyboard.up(key);
    }
    const pose = await ask<PlanetPose>('viewer.rig.pose');
    expect(pose.place.longitudeDeg).toBeGreaterThan(30);
    expect(pose.heightM).toBeLessThan(600_000);
  });
});

describe('seams', () => {
  // The flight crosses the edge between two faces. It sees no sky, and levels change on its way.
  const above = `${world}&lat=20&lon=44.6&height=26000&heading=90&pitch=-60`;

  it('show no background while levels change', async () => {
    await openView(page, server.url, above, 1);
    await probe(page, {background});
    const {holes, sets, levels, faces} = await maxHoles(page, {frames: 50, step: [700, 60, -380]});
    expect(sets).toBeGreaterThan(2);
    expect(levels).toBeGreaterThan(2);
    expect(faces).toBeGreaterThanOrEqual(2);
    expect(holes).toBe(0);
  });

  it('show the background without skirts', async () => {
    await openView(page, server.url, above, 1);
    await probe(page, {background, skirts: false});
    expect((await maxHoles(page, {frames: 50, step: [700, 60, -380]})).holes).toBeGreaterThan(0);
  });
});

describe('a link', () => {
  it('shows the same picture, and the same sun', async () => {
    await openView(page, server.url, `${ground}&layer=slope&sun=120,40`);
    await page.evaluate(() => {
      const {viewer} = (globalThis as any).thalweg;
      viewer.rig.glide(3800, -1300, 90);
      viewer.rig.turn(31, -4);
    });
    await settle(page);
    await page.waitForFunction(() => location.hash.includes('heading=61'));
    const first = await pictureOf(page);
    const hash = new URL(page.url()).hash.slice(1);
    expect(hash).toMatch(/lat=[\d.]+&lon=[\d.]+&height=/);
    const other = await watchedPage(browser, server.url);
    await openView(other.page, server.url, hash);
    expect(difference(first, await pictureOf(other.page))).toBeLessThan(0.5);
    await goTo(other.page, `${ground}&layer=slope&sun=300,20`);
    expect(difference(first, await pictureOf(other.page))).toBeGreaterThan(2);
  });

  it('of a plane opens a planet at its first view', async () => {
    await openView(page, server.url, `${world}&east=5&south=6&height=700`);
    expect((await ask<PlanetPose>('viewer.rig.pose')).pitchDeg).toBe(-90);
  });
});

describe('the sun', () => {
  it('stands still while the camera goes to the night', async () => {
    await openView(page, server.url, `${world}&lat=0&lon=0&height=3000&heading=0&pitch=-30&sun=0,80`);
    const day = await pictureOf(page);
    const brightness = ({pixels}: {pixels: Uint8Array}): number =>
      pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
    await page.evaluate(() => {
      const {viewer} = (globalThis as any).thalweg;
      for (let n = 0; n < 170; ++n) viewer.rig.glide(0, 303_000 * Math.PI / 180, 0);
    });
    await settle(page);
    expect(brightness(await pictureOf(page))).toBeLessThan(0.5 * brightness(day));
    expect(page.url()).toMatch(/sun=[\d.]+,-\d+/);
  });
});

describe('tools', () => {
  it('show latitude and longitude', async () => {
    await openView(page, server.url, ground);
    await page.mouse.move(360, 330);
    await page.mouse.move(340, 340);
    // The second move comes too soon after the first for an update at once.
    await page.waitForFunction(() => {
      const {viewer} = (globalThis as any).thalweg;
      const picked = viewer.picker.pick(340, 340);
      return document.querySelector('#readout .place')?.textContent === viewer.rig.datum.textOf(picked.place);
    });
    expect(await page.textContent('#readout .place')).toMatch(/^20\.\d{5}° N · \d\d\.\d{5}° E$/);
  });

  it('measure along a great circle', async () => {
    await openView(page, server.url, world);
    await page.click('#start-profile');
    await page.mouse.click(300, 150);
    await page.mouse.click(420, 260);
    await page.waitForSelector('#profile svg .ground');
    expect(await page.getAttribute('#profile svg', 'aria-label')).toMatch(/over \d+ km/);
  });

  it('show how much land drains through a river of a planet', async () => {
    await openView(page, server.url, `${world}&layer=flow`);
    expect(await page.textContent('#legend')).toContain('10,000');
    await goTo(page, 'world=shire&layer=flow');
    await page.waitForFunction(() => document.querySelector('#world-name')!.textContent === 'shire');
    expect(await page.textContent('#legend')).not.toContain('10,000');
  });

  it('show each layer with a legend', async () => {
    await openView(page, server.url, world);
    const pictures = [];
    for (const layer of ['satellite', 'relief', 'heights', 'slope', 'water']) {
      await page.locator(`#layers input[value=${layer}]`).check({force: true});
      await settle(page);
      pictures.push(await pictureOf(page));
      expect(await page.textContent('#legend')).not.toBe('');
    }
    for (const [n, one] of pictures.entries()) {
      for (const other of pictures.slice(n + 1)) expect(difference(one, other)).toBeGreaterThan(0.5);
    }
  });
});

describe('worlds', () => {
  it('may be planes and planets in turn', async () => {
    await openView(page, server.url, world);
    const planet = await pictureOf(page);
    for (const [name, other] of [['shire', 'orb'], ['orb', 'shire']] as const) {
      await page.evaluate((chosen) => { location.hash = `world=${chosen}`; }, name);
      await page.waitForFunction((chosen) => document.querySelector('#world-name')!.textContent === chosen, name);
      await settle(page);
      expect(page.url()).not.toContain(other);
      // The sun's default depends on the shape.
      expect(page.url().includes('sun=')).toBe(name === 'orb');
    }
    expect(difference(planet, await pictureOf(page))).toBeLessThan(0.5);
  });
});
