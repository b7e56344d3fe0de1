// The list of statistics in the panel: tiles, requests, frame times.
import type {Viewer} from '../viewer/viewer';
import {element} from './elements';
import {bytes} from './format';

// Responses that came from the browser's cache, without any transfer.
let cacheHits = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
    if (/\/tiles\//.test(entry.name) && entry.transferSize === 0 && entry.decodedBodySize > 0) {
      ++cacheHits;
    }
  }
  performance.clearResourceTimings();
}).observe({type: 'resource', buffered: true});

function rows(viewer: Viewer): [string, string][] {
  const {terrain, frames, stage} = viewer;
  if (!terrain) return [];
  const {loader, counts} = terrain;
  const needed = counts.hits + counts.misses;
  const usual = frames.quantile(0.5);
  const slow = frames.quantile(0.95);
  const milliseconds = (value: number | undefined) => value === undefined ? '–' : value.toFixed(0);
  return [
    ['Tiles drawn', `${viewer.picture.tilesShown} of ${terrain.drawable.tiles.length}`],
    ['Tiles needed', String(terrain.selection.tiles.length)],
    ['Tiles in memory', String(terrain.size)],
    ['Found in memory', needed > 0 ? `${Math.round(100 * counts.hits / needed)} %` : '–'],
    ['Requests', String(loader.counts.requests)],
    ['From browser cache', String(cacheHits)],
    ['Bytes', bytes(loader.counts.bytes)],
    ['Queued, loading', `${loader.queued}, ${loader.inFlight}`],
    ['Cancelled, failed', `${loader.counts.cancelled}, ${loader.counts.failed}`],
    ['Triangles', stage.renderer.info.render.triangles.toLocaleString('en')],
    ['Frame time', `${milliseconds(usual)} ms`],
    ['95 % of frames', `under ${milliseconds(slow)} ms`],
    ['Detail', `${viewer.detail.step + 1} of 5`],
  ];
}

// Fills the list.
export function showStatistics(list: HTMLElement, viewer: Viewer): void {
  list.replaceChildren(...rows(viewer).flatMap(
    ([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}
