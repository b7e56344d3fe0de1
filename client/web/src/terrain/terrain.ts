// The tiles of a world around a camera: those that are needed, loaded and drawable.
import type {DecodePool} from '../codec/decode_pool';
import {LayerName, layerNumber} from '../codec/layers';
import type {OverlayScale} from '../codec/overlay';
import type {Surface as TileSurface, TileSetting} from '../codec/surface';
import {Drawable, drawableOf} from '../lod/drawable';
import {Family, FetchOrder, fetchOrderOf} from '../lod/fetch_order';
import type {TileFacts} from '../lod/forecast';
import {Grid, cellSizeM} from '../lod/grid';
import {Selection, selectionOf} from '../lod/selection';
import {Sighting} from '../lod/sighting';
import type {Surface} from '../lod/surface';
import {TileKey, nameOf, parentOf} from '../lod/tile_key';
import type {View} from '../lod/view';
import {Job, TileLoader} from './tile_loader';
import {World, surfaceLayers} from './world';

// A loaded tile.
export interface Tile {
  readonly key: TileKey;
  readonly name: string;
  readonly surface: TileSurface;
  readonly overlays: Map<LayerName, Uint8Array>;
}

// Draws tiles.
export interface TilePainter {
  // Prepares a tile for drawing; only then can it be drawn.
  upload(tile: Tile): void;
  // Takes a tile's overlay.
  addOverlay(tile: Tile, layer: LayerName): void;
  forget(tile: Tile): void;
}

// A layer over the ground.
export interface Overlay {
  readonly layer: LayerName;
  readonly scale: OverlayScale;
}

// Max uploads in a frame: each takes a millisecond or two.
const uploadsAFrame = 3;
const maxFacts = 100_000;

// The estimated error of a tile's children is half of its geometric error; at level 0, which has no parent, half a
// cell. On a planet whole cells count, so both the tolerated error and the measured one are halved.
export const planetTolerance = 0.5;
// Ground of a planet with cells of this size and more looks rough.
const finestFlatCellM = 1000;
// Ground with larger cells is never so near that its materials show.
const coarsestNearCellM = 64;

const noTiles: Drawable = {tiles: [], complete: false, finest: false};

export class Terrain {
  // How often a needed tile was already loaded, and how often it was not.
  readonly counts = {hits: 0, misses: 0};
  selection: Selection = {tiles: [], byName: new Map()};
  // The tiles to draw are loaded. Ground outside the picture may be missing.
  drawable: Drawable = noTiles;
  // Returns the facts of a tile, even if the tile is no longer in memory.
  readonly factsOf = (key: TileKey): TileFacts | undefined => this.facts.get(nameOf(key));
  private readonly tiles = new Map<string, Tile>();
  private readonly facts = new Map<string, TileFacts>();
  private readonly arrived: Tile[] = [];
  private readonly layers: string;
  // The surface and the selection of the last choice.
  private surface: Surface | undefined;
  private view: View | undefined;
  // Tiles that belong to the drawn set, but are outside the picture and not loaded.
  private absent: TileKey[] = [];
  // The names of those that the picture shows.
  private shown = '';
  private isSeenLoaded = false;
  private isAllLoaded = false;
  private lastWanted = new Set<string>();
  private stale = true;

  constructor(
    readonly world: World, readonly loader: TileLoader, private readonly pool: DecodePool,
    private readonly painter: TilePainter, private readonly maxTiles: number) {
    this.layers = surfaceLayers(world).join(',');
  }

  // The number of tiles in memory.
  get size(): number {
    return this.tiles.size;
  }

  // Returns a tile that can be drawn.
  tile(name: string): Tile | undefined {
    return this.tiles.get(name);
  }

  // Whether everything that the picture shows is loaded and drawn.
  get whole(): boolean {
    return this.isSeenLoaded && this.drawable.finest && !this.stale;
  }

  // Whether the tiles around the picture are there too, and nothing is under way.
  get settled(): boolean {
    return this.whole && this.isAllLoaded && this.loader.inFlight === 0 && this.arrived.length === 0 && this.pool.busy === 0 &&
      !this.news;
  }

  // Chooses the needed tiles, and fetches the missing ones: those that the picture does not show only when it is whole.
  choose(view: View, surface: Surface, overlay: Overlay | undefined): void {
    const factsOf = (key: TileKey): TileFacts | undefined => this.factsToShow(surface.grid, key);
    this.surface = surface;
    this.view = view;
    this.selection = selectionOf(view, surface, factsOf);
    this.stale = true;
    this.count();
    const order = fetchOrderOf(this.selection, surface, view, factsOf, this.seaLevelM);
    this.loader.want(this.jobsOf(order, overlay));
    this.evict();
  }

  // Takes the view that is drawn next. Ground that it shows may not be missing.
  look(view: View): void {
    this.view = view;
    if (this.absent.length === 0 || !this.surface) return;
    const sighting = this.sightingOf(this.surface, view);
    if (this.absent.some((key) => sighting.sees(key))) this.stale = true;
  }

  private count(): void {
    const wanted = new Set<string>();
    for (const {name} of this.selection.tiles) {
      wanted.add(name);
      const tile = this.tiles.get(name);
      if (!this.lastWanted.has(name)) tile ? ++this.counts.hits : ++this.counts.misses;
      if (tile) this.touch(tile);
    }
    this.lastWanted = wanted;
  }

  private jobsOf({seen, beside}: FetchOrder, overlay: Overlay | undefined): Job[] {
    const waiting = new Set(this.arrived.map(({name}) => name));
    const jobsOf = (families: readonly Family[]): Job[] => families.flatMap((family) => family
      .filter(({name}) => !this.tiles.has(name) && !waiting.has(name))
      .map(({key, name}) => this.surfaceJob(key, name)));
    const first = jobsOf(seen);
    const rest = jobsOf(beside);
    this.isSeenLoaded = first.length === 0;
    this.isAllLoaded = this.isSeenLoaded && rest.length === 0;
    const jobs = this.isSeenLoaded ? rest : first;
    return overlay ? [...this.overlayJobs(overlay), ...jobs] : jobs;
  }

  private get seaLevelM(): number {
    return this.world.spec.sea_level_m ?? -Infinity;
  }

  private sightingOf(surface: Surface, view: View): Sighting {
    return new Sighting(view, surface, (key) => this.factsToShow(surface.grid, key), this.seaLevelM);
  }

  // Coarse ground of a planet is nearly flat relative to its cells, and shows only colours and light. So a cell must
  // not be larger than the tolerance. If the relief is larger than the cell, only the relief counts. Both are
  // halved, as planetTolerance says.
  private factsToShow(grid: Grid, key: TileKey): TileFacts | undefined {
    const facts = this.factsOf(key);
    if (!facts || grid.radiusM === undefined) return facts;
    const cellM = cellSizeM(grid, key.level);
    const seenM = cellM * Math.min(cellM / finestFlatCellM, 1);
    const geometricError = Math.max(planetTolerance * facts.geometricError, 65536 * seenM);
    return {...facts, geometricError};
  }

  // Whether the picture shows other tiles than when this was called last.
  takeChange(): boolean {
    const changed = this.changed;
    this.changed = false;
    return changed;
  }

  private changed = false;

  // Call it once in each frame. Returns true if the drawable set is another one.
  advance(): boolean {
    for (let n = 0; n < uploadsAFrame && this.arrived.length > 0; ++n) {
      const tile = this.arrived.shift()!;
      this.painter.upload(tile);
      this.tiles.set(tile.name, tile);
      this.stale = true;
    }
    if (!this.stale) return false;
    this.stale = false;
    if (this.surface && this.view) this.findDrawable(this.surface, this.view);
    return true;
  }

  // Ground outside the picture counts as loaded: nobody sees that it is missing.
  private findDrawable(surface: Surface, view: View): void {
    const sighting = this.sightingOf(surface, view);
    const drawable = drawableOf(this.selection, surface, (name) => {
      if (this.tiles.has(name)) return true;
      const wanted = this.selection.byName.get(name);
      return wanted !== undefined && !sighting.sees(wanted.key);
    });
    const isLoaded = (key: TileKey): boolean => this.tiles.has(nameOf(key));
    this.drawable = {...drawable, tiles: drawable.tiles.filter(isLoaded)};
    this.absent = drawable.tiles.filter((key) => !isLoaded(key));
    const shown = this.drawable.tiles.filter((key) => sighting.sees(key)).map(nameOf).join();
    this.changed ||= shown !== this.shown;
    this.shown = shown;
  }

  // Whether new facts have arrived since the last choice.
  get hasNews(): boolean {
    return this.news;
  }

  private news = false;

  clearNews(): void {
    this.news = false;
  }

  // Asks again for tiles that the server refused.
  retry(): void {
    this.loader.forgive();
    this.news = true;
  }

  // Forgets every tile.
  dispose(): void {
    this.loader.want([]);
    for (const tile of this.tiles.values()) this.painter.forget(tile);
    this.tiles.clear();
    this.disposed = true;
  }

  private disposed = false;

  private url(key: TileKey, layers: string): string {
    const {address, spec} = this.world;
    const face = key.face === 0 ? '' : `face=${key.face}&`;
    // Heights would be rounded to 1/64 of a cell, which would be hundreds of metres.
    const isFlat = spec.sphere && spec.cell_size_m * 2 ** -key.level > finestFlatCellM;
    const precision = isFlat ? '&precision=exact' : '';
    return `v1/worlds/${address}/tiles/${key.level}/${key.x}/${key.y}.tlw?${face}layer=${layers}${precision}`;
  }

  private surfaceJob(key: TileKey, name: string): Job {
    return {
      name: `${this.world.address}/${name}`,
      family: `${this.world.address}/${key.level > 0 ? nameOf(parentOf(key)) : ''}`,
      url: this.url(key, this.layers),
      take: async (bytes) => {
        const surface = await this.pool.surface(bytes, this.settingOf(key));
        if (this.disposed || this.tiles.has(name)) return;
        if (this.facts.size > maxFacts) this.facts.clear();
        this.facts.set(name, surface);
        this.arrived.push({key, name, surface, overlays: new Map()});
        this.news = true;
      },
    };
  }

  private settingOf(key: TileKey): TileSetting {
    const {cell_size_m, sea_level_m: seaLevelM, sphere} = this.world.spec;
    const cellM = cell_size_m * 2 ** -key.level;
    return {
      ...(cellM <= coarsestNearCellM && {nearCellM: cellM}),
      ...(seaLevelM !== undefined && {seaLevelM}), ...(sphere && {onPlanet: key}),
    };
  }

  // Fetches for the tiles that are drawn now, near ones first, as in the selection's order.
  private overlayJobs({layer, scale}: Overlay): Job[] {
    return this.selection.tiles.flatMap(({key, name}) => {
      const tile = this.tiles.get(name);
      if (!tile || tile.overlays.has(layer)) return [];
      return [{
        name: `${this.world.address}/${name}?${layer}`,
        family: `${this.world.address}/${name}?${layer}`,
        url: this.url(key, layer),
        take: async (bytes: ArrayBuffer) => {
          const values = await this.pool.overlay(bytes, layerNumber(layer), scale);
          if (this.disposed || this.tiles.get(name) !== tile) return;
          tile.overlays.set(layer, values);
          this.painter.addOverlay(tile, layer);
          this.news = true;
        },
      }];
    });
  }

  // Maps keep the order in which entries were added, so the first entry is the least recently used.
  private touch(tile: Tile): void {
    this.tiles.delete(tile.name);
    this.tiles.set(tile.name, tile);
  }

  private evict(): void {
    for (const [name, tile] of this.tiles) {
      if (this.tiles.size <= this.maxTiles) return;
      if (this.selection.byName.has(name)) continue;
      this.tiles.delete(name);
      this.painter.forget(tile);
    }
  }
}
