// Contours on the ground of a globe in CesiumJS's stock release, and no crack between its tiles.
import {beforeAll, describe, expect, it} from 'vitest';
import {type Watched} from './harness/browser';
import {browser, server, useBrowser} from './harness/fixture';
import {complete, globeSize, openGlobe} from './harness/globe_page';
import {groundPixels, showContours} from './harness/holes';
import {meshErrorM} from './harness/meshes';
import {fewOrAll} from './harness/size';

let globe: Watched;

useBrowser({keepsPages: true});
beforeAll(async () => {
  globe = await openGlobe(browser, server, {world: 'marble', picture: 'relief'});
});

// How far below the sea level ground may be shown.
const marginM = meshErrorM(6378137, 0);

interface View {
  readonly name: string;
  readonly at: readonly [longitude: number, latitude: number, heightM: number];
  readonly headingDeg: number;
  readonly pitchDeg: number;
  readonly spacingM: number;
}

// The quick run looks at the first one.
const views: readonly View[] = [
  {name: 'near the ground', at: [-43, 13, 6000], headingDeg: 40, pitchDeg: -15, spacingM: 50},
  {name: 'a corner of three faces', at: [45, 34, 1e5], headingDeg: 0, pitchDeg: -35, spacingM: 100},
  {name: 'orbit', at: [-50, 15, 12.8e6], headingDeg: 0, pitchDeg: -90, spacingM: 500},
  {name: '500 km', at: [-46, 10, 5e5], headingDeg: 40, pitchDeg: -45, spacingM: 250},
  {name: 'the north pole', at: [10, 86, 4e5], headingDeg: 0, pitchDeg: -45, spacingM: 100},
  {name: 'the south pole', at: [10, -86, 4e5], headingDeg: 180, pitchDeg: -45, spacingM: 100},
  {name: 'the date line', at: [178, -53, 2e5], headingDeg: 60, pitchDeg: -35, spacingM: 100},
];

async function look({at, headingDeg, pitchDeg, spacingM}: View): Promise<void> {
  const {page} = globe;
  await showContours(page, spacingM);
  await page.evaluate(({at, headingDeg, pitchDeg}) => {
    const {Cesium, globe} = globalThis as any;
    // Use fewer tiles: the processor draws each frame.
    globe.widget.scene.globe.maximumScreenSpaceError = 4;
    globe.widget.camera.setView({
      destination: Cesium.Cartesian3.fromDegrees(...at),
      orientation: {
        heading: Cesium.Math.toRadians(headingDeg), pitch: Cesium.Math.toRadians(pitchDeg),
      },
    });
  }, {at, headingDeg, pitchDeg});
  await complete(page, 200_000);
}

// A whole planet covers about a quarter of its picture. In oblique views, ground covers most of it.
const leastGround = globeSize ** 2 / 4;

describe('CesiumJS', () => {
  it.each(views.slice(0, fewOrAll(1, views.length)))('shows contours and no crack: $name', async (view) => {
    await look(view);
    const {ground, holes, contours, colors} = await groundPixels(globe.page, marginM);
    expect(ground).toBeGreaterThan(leastGround);
    expect(contours).toBeGreaterThan(1000);
    expect(colors).toBeGreaterThan(20);
    expect(holes).toBe(0);
    expect(globe.faults).toEqual([]);
  }, 240_000);

  // The twin: without skirts there are cracks, since CesiumJS rounds vertices and tiles of two zooms meet.
  it('shows cracks without its skirts', async () => {
    await look(views.find(({name}) => name === 'near the ground')!);
    await globe.page.evaluate('globe.widget.scene.globe.showSkirts = false');
    expect((await groundPixels(globe.page, marginM)).holes).toBeGreaterThan(0);
  }, 240_000);
});
