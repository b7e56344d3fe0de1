// Contours on the ground of a globe in CesiumJS's stock release, and no crack between its tiles.
import type {Browser} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {launch} from './harness/browser';
import type {Site} from './harness/files';
import {complete, type Globe, globeSize, openGlobe, serveExample} from './harness/globe_page';
import {groundPixels, showContours} from './harness/holes';
import {Server, startServer} from './harness/server';

let server: Server;
let browser: Browser;
let site: Site;
let globe: Globe;

beforeAll(async () => {
  [server, browser, site] = await Promise.all([startServer(), launch(), serveExample()]);
  globe = await openGlobe(browser, site, server.url, {world: 'marble', picture: 'relief'});
});

afterAll(async () => {
  await globe?.page.context().close();
  await browser?.close();
  await site?.stop();
  await server?.stop();
});

// How far a mesh of zoom 0 may be below the sea: geographic::MeshErrorM on the Earth.
const marginM = 4900;

interface View {
  readonly name: string;
  readonly at: readonly [longitude: number, latitude: number, heightM: number];
  readonly headingDeg: number;
  readonly pitchDeg: number;
  readonly spacingM: number;
  // The part of the picture that is ground.
  readonly share: number;
}

const views: readonly View[] = [
  {name: 'orbit', at: [-50, 15, 12.8e6], headingDeg: 0, pitchDeg: -90, spacingM: 1000, share: 0.3},
  {name: '500 km', at: [20, 25, 5e5], headingDeg: 40, pitchDeg: -45, spacingM: 500, share: 0.7},
  {name: 'near the ground', at: [20, 25, 6000], headingDeg: 40, pitchDeg: -15, spacingM: 50, share: 0.5},
  {name: 'the north pole', at: [10, 86, 4e5], headingDeg: 0, pitchDeg: -45, spacingM: 250, share: 0.7},
  {name: 'the south pole', at: [10, -86, 4e5], headingDeg: 180, pitchDeg: -45, spacingM: 250, share: 0.7},
  {name: 'the date line', at: [178, 8, 2e5], headingDeg: 90, pitchDeg: -35, spacingM: 250, share: 0.6},
  {name: 'a corner of three faces', at: [45, 34, 1e5], headingDeg: 0, pitchDeg: -35, spacingM: 100, share: 0.6},
];

async function look({at, headingDeg, pitchDeg, spacingM}: View): Promise<void> {
  const {page} = globe;
  await showContours(page, spacingM);
  await page.evaluate(({at, headingDeg, pitchDeg}) => {
    const {Cesium, globe} = globalThis as any;
    globe.widget.camera.setView({
      destination: Cesium.Cartesian3.fromDegrees(...at),
      orientation: {
        heading: Cesium.Math.toRadians(headingDeg), pitch: Cesium.Math.toRadians(pitchDeg),
      },
    });
  }, {at, headingDeg, pitchDeg});
  await complete(page, 100_000);
}

describe('CesiumJS', () => {
  it.each(views)('shows contours and no crack: $name', async (view) => {
    await look(view);
    const {ground, holes, contours, colors} = await groundPixels(globe.page, marginM);
    console.log(view.name, ground / globeSize ** 2, holes, contours, colors);
    await globe.page.screenshot({path: `/tmp/w/contours-${view.name.replaceAll(' ', '_')}.png`});
    await globe.page.evaluate('globe.widget.scene.globe.showSkirts = false');
    console.log('no skirts', await groundPixels(globe.page, marginM));
    await globe.page.screenshot({path: `/tmp/w/contours-${view.name.replaceAll(' ', '_')}-noskirt.png`});
    await globe.page.evaluate('globe.widget.scene.globe.showSkirts = true');
    expect(ground).toBeGreaterThan(view.share * globeSize ** 2);
    expect(contours).toBeGreaterThan(ground / 100);
    expect(holes).toBe(0);
    expect(colors).toBeGreaterThan(20);
    expect(globe.faults()).toEqual([]);
  });
});
