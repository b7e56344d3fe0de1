// MapLibre's stock release reads the same heights that the server returns.
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {watchedPage} from './harness/browser';
import {Site, serveFiles} from './harness/files';
import {browser, server, useBrowser} from './harness/fixture';
import {sampleHeights} from './harness/heights';
import {random} from './harness/random';

let site: Site;

const world = 'shire';
const points = 200;
// The level of the world that the map must use.
const level = 4;

interface TileJson {
  tiles: string[];
  minzoom: number;
  window_m: number;
  west_m: number;
  north_m: number;
}

// A release of MapLibre, and where its pixels have their heights. Releases from 6 on have them in the middle, and
// between middles their heights are means, so only the middles can be compared.
interface Release {
  readonly name: string;
  readonly registration: 'centre' | 'corner';
  readonly start: string;
}

const releases: readonly Release[] = [
  {name: 'maplibre-gl-5', registration: 'corner', start: '<script src="/maplibre-gl-5/maplibre-gl.js"></script>'},
  {
    name: 'maplibre-gl', registration: 'centre',
    start: `<script type="module">
      import * as maplibregl from '/maplibre-gl/maplibre-gl.mjs';
      globalThis.maplibregl = maplibregl;
    </script>`,
  },
];

const pageOf = ({name, start}: Release): string => `<!doctype html><meta charset="utf-8">
<link rel="stylesheet" href="/${name}/maplibre-gl.css">
<style>html, body, #map { margin: 0; height: 100%; }</style><div id="map"></div>${start}`;

useBrowser();
beforeAll(async () => {
  const folder = fileURLToPath(new URL('node_modules/', import.meta.url));
  site = await serveFiles(
    {
      ...Object.fromEntries(releases.map((release) => [`/${release.name}.html`, ['text/html', pageOf(release)] as const])),
      '/favicon.ico': ['image/x-icon', ''],
    },
    Object.fromEntries(releases.map(({name}) => [`/${name}/`, join(folder, name, 'dist')])));
});

afterAll(async () => { await site?.stop(); });

// The map's heights at random points of its picture, with their positions in the window, from 0 to 1. The points are
// middles of pixels if these have the heights.
async function elevations(release: Release, encoding: string, json: TileJson, center: [number, number]) {
  const draw = random(7);
  const places = Array.from({length: points}, () => [0.15 + 0.7 * draw(), 0.15 + 0.7 * draw()]);
  const {page: map, faults} = await watchedPage(browser, site.url);
  await map.goto(`${site.url}/${release.name}.html`);
  await map.waitForFunction('globalThis.maplibregl');
  const found = await map.evaluate(async ({encoding, json, center, places, zoom, middles}) => {
    const {maplibregl} = globalThis as any;
    const dem = {
      type: 'raster-dem', encoding, tiles: json.tiles, tileSize: 256, minzoom: zoom, maxzoom: zoom,
    };
    const view = new maplibregl.Map({
      // A map takes its terrain from a zoom that is one less than its own.
      container: 'map', center, zoom: zoom + 1.2, pitch: 0, fadeDuration: 0,
      style: {
        version: 8,
        sources: {dem},
        terrain: {source: 'dem', exaggeration: 1},
        layers: [{id: 'shade', type: 'hillshade', source: 'dem'}],
      },
    });
    const errors: string[] = [];
    view.on('error', (event: any) => errors.push(String(event.error?.message ?? event)));
    await view.once('idle');
    const box = view.getCanvas().getBoundingClientRect();
    const found = places.map(([x, y]) => {
      const anywhere = maplibregl.MercatorCoordinate.fromLngLat(view.unproject([x! * box.width, y! * box.height]));
      const pixels = 256 * 2 ** zoom;
      const middle = (part: number): number => (Math.floor(part * pixels) + 0.5) / pixels;
      const mercator = middles
        ? new maplibregl.MercatorCoordinate(middle(anywhere.x), middle(anywhere.y)) : anywhere;
      const at = mercator.toLngLat();
      return {x: mercator.x, y: mercator.y, elevation: view.queryTerrainElevation(at) as number};
    });
    return {found, errors};
  }, {encoding, json, center, places, zoom: json.minzoom + level, middles: release.registration === 'centre'});
  // Tiles come from the server, which is another origin.
  const strange = faults.filter((fault) => !fault.includes(server.url));
  return {...found, strange};
}

async function largestDifference(
  release: Release, encoding: 'terrarium' | 'mapbox', shiftM = 0,
  registration: string = release.registration): Promise<number> {
  const query = new URLSearchParams({encoding, registration});
  const answer = await fetch(`${server.url}/v1/worlds/${world}/tilejson.json?${query}`);
  const json = await answer.json() as TileJson;
  // A place that is not at a tile's corner, near the map's equator.
  const center: [number, number] = [0.61, -0.43];
  const {found, errors, strange} = await elevations(release, encoding, json, center);
  expect(errors).toEqual([]);
  expect(strange).toEqual([]);
  expect(found.length).toBe(points);
  expect(new Set(found.map(({elevation}) => elevation)).size).toBeGreaterThan(points / 2);
  const heights = await sampleHeights(server.grpc, {
    world, level,
    east_m: found.map(({x}) => json.west_m + x * json.window_m + shiftM),
    south_m: found.map(({y}) => json.north_m + y * json.window_m),
  });
  return Math.max(...heights.map((height, n) => Math.abs(height - found[n]!.elevation)));
}

describe.each(releases)('$name', (release) => {
  it('reads terrarium to 10 mm', async () => {
    expect(await largestDifference(release, 'terrarium')).toBeLessThan(0.01);
  });

  it('reads mapbox to its own step', async () => {
    expect(await largestDifference(release, 'mapbox')).toBeLessThan(0.1);
  });

  it('has wrong heights when asked elsewhere', async () => {
    expect(await largestDifference(release, 'terrarium', 40)).toBeGreaterThan(0.1);
  });

  it('has wrong heights with the other registration', async () => {
    const other = release.registration === 'centre' ? 'corner' : 'centre';
    expect(await largestDifference(release, 'terrarium', 0, other)).toBeGreaterThan(1);
  });
});

describe('a TileJSON without a registration', () => {
  it('is for the newest release', async () => {
    const json = await (await fetch(`${server.url}/v1/worlds/${world}/tilejson.json`)).json() as {registration: string};
    expect(json.registration).toBe(releases.at(-1)!.registration);
  });
});
