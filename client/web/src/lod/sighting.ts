// Whether a picture shows a tile that may not be loaded yet.
import {FactsOf, forecastOf} from './forecast';
import {lowestOf} from './selection';
import {Surface, Viewer, viewerOf} from './surface';
import type {TileKey} from './tile_key';
import type {View} from './view';

export class Sighting {
  private readonly viewer: Viewer;

  // `seaLevelM` is -Infinity in a world without a sea.
  constructor(
    view: View, private readonly surface: Surface, private readonly factsOf: FactsOf, private readonly seaLevelM: number) {
    const lowestM = lowestOf(surface.rootsWithin(view.position, view.rangeM), factsOf);
    this.viewer = viewerOf(view, surface, lowestM);
  }

  // Never false for a visible tile, for a root or for a tile under the eye, which the camera stands on.
  sees(key: TileKey): boolean {
    if (key.level === 0) return true;
    const {errorM, heights} = forecastOf(this.surface.grid, key, this.factsOf);
    if (!heights) return true;
    // A tile may reach beyond the heights of a coarser one by as much as the two differ.
    const range = {min: heights.min - errorM, max: Math.max(heights.max + errorM, this.seaLevelM)};
    return this.surface.maySee(key, range, this.viewer) || this.surface.sightOf(key, range, this.viewer).horizontalM === 0;
  }
}
