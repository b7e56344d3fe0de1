// MapLibre's stock release reads the same heights that the server returns.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
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

const page = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/maplibre-gl.css">
<style>html, body, #map { margin: 0; height: 100%; }</style><div id="map"></div>
<script src="/maplibre-gl.js"></script>`;

function library(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`maplibre-gl/dist/${name}`));
}

useBrowser();
beforeAll(async () => {
  site = await serveFiles({
    '/': ['text/html', page],
    '/maplibre-gl.js': ['text/javascript', library('maplibre-gl.js')],
    '/maplibre-gl.css': ['text/css', library('maplibre-gl.css')],
    '/favicon.ico': ['image/x-icon', ''],
  });
});

afterAll(async () => { await site?.stop(); });

// The map's heights at random points of its picture, with their positions in the window, from 0 to 1.
async function elevations(encoding: string, json: TileJson, center: [number, number]) {
  const draw = random(7);
  const places = Array.from({length: points}, () => [0.15 + 0.7 * draw(), 0.15 + 0.7 * draw()]);
  const {page: map, faults} = await watchedPage(browser, site.url);
  await map.goto(site.url);
  const found = await map.evaluate(async ({encoding, json, center, places, zoom}) => {
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
      const at = view.unproject([x! * box.width, y! * box.height]);
      const mercator = maplibregl.MercatorCoordinate.fromLngLat(at);
      return {x: mercator.x, y: mercator.y, elevation: view.queryTerrainElevation(at) as number};
    });
    return {found, errors};
  }, {encoding, json, center, places, zoom: json.minzoom + level});
  // Tiles come from the server, which is another origin.
  const strange = faults.filter((fault) => !fault.includes(server.url));
  return {...found, strange};
}

async function largestDifference(encoding: 'terrarium' | 'mapbox', shiftM: number): Promise<number> {
  const answer = await fetch(`${server.url}/v1/worlds/${world}/tilejson.json?encoding=${encoding}`);
  const json = await answer.json() as TileJson;
  // A place that is not at a tile's corner, near the map's equator.
  const center: [number, number] = [0.61, -0.43];
  const {found, errors, strange} = await elevations(encoding, json, center);
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

describe('MapLibre', () => {
  it('reads terrarium to 20 mm', async () => {
    expect(await largestDifference('terrarium', 0)).toBeLessThan(0.02);
  });

  it('reads mapbox to its own step', async () => {
    expect(await largestDifference('mapbox', 0)).toBeLessThan(0.1);
  });

  it('is found wrong when asked elsewhere', async () => {
    expect(await largestDifference('terrarium', 40)).toBeGreaterThan(0.1);
  });
});
