// The tiles that a view needs: a restricted quadtree, refined where the error would be visible. The
// same rule as proto/geometry/selection.h; test/vectors compares the two.
import {FactsOf, forecastOf} from './forecast';
import {Grid, tileSizeM} from './grid';
import {Surface, Viewer, viewerOf} from './surface';
import {TileKey, ancestorOf, childrenOf, compareKeys, nameOf, parentOf} from './tile_key';
import {View, pixelsPerRadian} from './view';

// Why a tile is needed, the most urgent first: for the picture, or in case the camera turns.
export const inView = 0;
export const around = 1;

// One tile of a selection.
export interface Wanted {
  readonly key: TileKey;
  readonly name: string;
  // Whether it is drawn through its four children, which are in the selection too.
  split: boolean;
  need: number;
  // The distance from the eye to the space that the tile's ground takes, in metres.
  readonly distanceM: number;
}

// The factor on the tolerated error for tiles outside the picture.
const aroundTolerance = 4;
// Max tiles that are split.
const maxSplits = 2048;

// Max range of a view, in tiles of level 0.
const maxRangeTiles = 4;

export interface Selection {
  // The tiles in the order in which they are wanted: by need, coarse before fine, near before far.
  readonly tiles: readonly Wanted[];
  readonly byName: ReadonlyMap<string, Wanted>;
}

class Selector {
  private readonly tiles: Wanted[] = [];
  private readonly byName = new Map<string, Wanted>();
  private readonly grid: Grid;
  private readonly roots: TileKey[];
  private readonly eyeHeightM: number;
  private readonly viewer: Viewer;
  private readonly pixels: number;
  // Tiles whose children are in the selection.
  private readonly parents = new Set<string>();
  // By level: tiles that were split since the tree was last restricted.
  private readonly unrestricted: TileKey[][];
  private refined = 0;

  constructor(
    private readonly view: View, private readonly surface: Surface, private readonly factsOf: FactsOf) {
    this.grid = surface.grid;
    this.roots = surface.rootsWithin(
      view.position, Math.min(view.rangeM, maxRangeTiles * tileSizeM(this.grid, 0)));
    this.eyeHeightM = surface.heightOf(view.position);
    this.viewer = viewerOf(view, surface, lowestOf(this.roots, factsOf));
    this.pixels = pixelsPerRadian(view);
    this.unrestricted = Array.from({length: this.grid.levels}, () => []);
  }

  run(): Selection {
    for (const root of this.roots) this.add(root);
    // Tiles that are added to restrict the tree may have to be split themselves.
    do this.refine();
    while (this.restrict());
    this.promote();
    this.tiles.sort((a, b) => a.need - b.need || a.key.level - b.key.level ||
      a.distanceM - b.distanceM || compareKeys(a.key, b.key));
    return {tiles: this.tiles, byName: this.byName};
  }

  private hasChildren(key: TileKey): boolean {
    const children = childrenOf(key);
    return this.surface.has(children[0]!) && this.surface.has(children[3]!);
  }

  private add(key: TileKey): void {
    const {view, grid} = this;
    const forecast = forecastOf(grid, key, this.factsOf);
    // Unknown heights may be anything, even the eye's own.
    const heights = forecast.heights ?? {min: this.eyeHeightM, max: this.eyeHeightM};
    const {distanceM, horizontalM, mayShow} = this.surface.sightOf(key, heights, this.viewer);
    const need = !forecast.heights || mayShow ? inView : around;
    const tolerance = view.toleratedErrorPx * (need === inView ? 1 : aroundTolerance);
    const split = this.hasChildren(key) &&
      horizontalM <= view.rangeM &&
      forecast.errorM * this.pixels > tolerance * distanceM;
    const wanted = {key, name: nameOf(key), split, need, distanceM};
    this.byName.set(wanted.name, wanted);
    this.tiles.push(wanted);
  }

  // Goes level by level, so that the limit leaves out the finest.
  private refine(): void {
    for (; this.refined < this.tiles.length; ++this.refined) {
      const tile = this.tiles[this.refined]!;
      // Tiles that restrict() has split stay split, despite the limit: their children are there.
      tile.split = this.parents.has(tile.name) || (tile.split && this.parents.size < maxSplits);
      if (tile.split) this.split(tile);
    }
  }

  private split(tile: Wanted): void {
    tile.split = true;
    if (this.parents.has(tile.name)) return;
    this.parents.add(tile.name);
    this.unrestricted[tile.key.level]!.push(tile.key);
    for (const child of childrenOf(tile.key)) this.add(child);
  }

  // A split tile's children touch tiles around it. These must exist on the split tile's level, so the tiles that cover
  // them are split too. Returns false if nothing changed.
  private restrict(): boolean {
    const demanded: Map<string, TileKey>[] = this.unrestricted.map(() => new Map());
    for (let level = demanded.length - 1; level >= 1; --level) {
      for (const split of this.unrestricted[level]!) this.demandAround(split, demanded[level - 1]!);
      for (const split of demanded[level]!.values()) this.demandAround(split, demanded[level - 1]!);
    }
    const names = demanded.flatMap((level) => [...level.keys()]);
    for (const name of names) this.split(this.byName.get(name)!);
    // The splits that these demand were demanded in the same pass.
    for (const level of this.unrestricted) level.length = 0;
    return names.length > 0;
  }

  private demandAround(split: TileKey, demanded: Map<string, TileKey>): void {
    for (const parent of this.surface.parentsAround(split)) {
      const name = nameOf(parent);
      if (this.parents.has(name) || !this.byName.has(nameOf(ancestorOf(parent, 0)))) continue;
      demanded.set(name, parent);
    }
  }

  // A tile can't be drawn before its siblings and all tiles that touch its parent are loaded.
  private promote(): void {
    const urge = (key: TileKey): void => {
      const wanted = this.byName.get(nameOf(key));
      if (wanted) wanted.need = inView;
    };
    for (let level = this.grid.levels - 1; level >= 1; --level) {
      const parents = new Map<string, TileKey>();
      for (const tile of this.tiles) {
        if (tile.need !== inView || tile.key.level !== level) continue;
        const parent = parentOf(tile.key);
        parents.set(nameOf(parent), parent);
      }
      for (const parent of parents.values()) {
        childrenOf(parent).forEach(urge);
        urge(parent);
        this.surface.touchingOf(parent).forEach(urge);
      }
    }
  }
}

// The tiles that a view needs, each with all its ancestors up to level 0.
export function selectionOf(view: View, surface: Surface, factsOf: FactsOf): Selection {
  return new Selector(view, surface, factsOf).run();
}

// Returns the lowest ground of the roots in metres; undefined until all of them are known.
export function lowestOf(roots: readonly TileKey[], factsOf: FactsOf): number | undefined {
  let lowest = Infinity;
  for (const root of roots) lowest = Math.min(lowest, factsOf(root)?.minHeight ?? NaN);
  return Number.isNaN(lowest) ? undefined : lowest / 65536;
}
