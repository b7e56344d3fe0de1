// The order in which a selection's tiles are fetched, so that the picture is good early: coarse ground everywhere, then what
// is coarsest in the picture, the picture's middle before its rim.
import {FactsOf, forecastOf} from './forecast';
import type {Selection, Wanted} from './selection';
import {Sighting} from './sighting';
import type {Surface} from './surface';
import {TileKey, nameOf, parentOf} from './tile_key';
import {View, pixelsPerRadian, widened} from './view';

// Siblings that are wanted together: the server computes four together in half the time.
export type Family = readonly Wanted[];

export interface FetchOrder {
  // What the picture shows, or would show after a small turn.
  readonly seen: readonly Family[];
  // What is wanted in case the camera turns.
  readonly beside: readonly Family[];
}

// How much wider than the picture ground counts as seen.
const margin = 1.1;
// The part of the picture that is its middle.
const middle = 0.5;
// Ground whose error is 2^4 times the tolerated one looks wrong. All of it comes level by level.
const wrongSteps = 4;

interface Ranked {
  readonly level: number;
  readonly parent: TileKey | undefined;
  readonly seen: Wanted[];
  readonly beside: Wanted[];
  rank: number;
  distanceM: number;
}

function familyName(key: TileKey): string {
  return key.level === 0 ? '' : nameOf(parentOf(key));
}

class Order {
  private readonly families = new Map<string, Ranked>();
  private readonly picture: Sighting;
  private readonly around: Sighting;
  private readonly centre: Sighting;
  private readonly pixels: number;

  constructor(
    private readonly selection: Selection, private readonly surface: Surface, private readonly view: View,
    private readonly factsOf: FactsOf, seaLevelM: number) {
    this.picture = new Sighting(view, surface, factsOf, seaLevelM);
    this.around = new Sighting(widened(view, margin), surface, factsOf, seaLevelM);
    this.centre = new Sighting(widened(view, middle), surface, factsOf, seaLevelM);
    this.pixels = pixelsPerRadian(view);
  }

  run(): FetchOrder {
    for (const tile of this.selection.tiles) this.add(tile);
    const ranked = [...this.families.values()];
    ranked.sort((a, b) => b.level - a.level);
    for (const family of ranked) this.urgeCoarser(family);
    ranked.sort((a, b) => b.rank - a.rank || a.level - b.level || a.distanceM - b.distanceM);
    const some = (families: Wanted[][]): Family[] => families.filter((tiles) => tiles.length > 0);
    return {seen: some(ranked.map(({seen}) => seen)), beside: some(ranked.map(({beside}) => beside))};
  }

  private add(tile: Wanted): void {
    const {key, distanceM} = tile;
    const name = familyName(key);
    let family = this.families.get(name);
    if (!family) {
      const parent = key.level > 0 ? parentOf(key) : undefined;
      family = {
        level: key.level, parent, seen: [], beside: [],
        rank: parent ? this.rankBelow(parent) : Infinity, distanceM,
      };
      this.families.set(name, family);
    }
    family.distanceM = Math.min(family.distanceM, distanceM);
    // A wider picture may miss what is behind the eye although the picture itself does not rule it out.
    (this.picture.sees(key) || this.around.sees(key) ? family.seen : family.beside).push(tile);
  }

  // How much the picture gains by a tile's children: in steps of the error that they take away.
  private rankBelow(parent: TileKey): number {
    const distanceM = this.selection.byName.get(nameOf(parent))!.distanceM;
    const errorPx = forecastOf(this.surface.grid, parent, this.factsOf).errorM * this.pixels / distanceM;
    const steps = Math.floor(Math.log2(errorPx / this.view.toleratedErrorPx));
    const capped = Math.min(Math.max(steps, -1), wrongSteps);
    return capped + (capped < wrongSteps && this.centre.sees(parent) ? 0.5 : 0);
  }

  // Children can only be drawn once all tiles that touch their parent are there.
  private urgeCoarser({parent, rank, seen}: Ranked): void {
    if (!parent || parent.level === 0 || seen.length === 0) return;
    for (const needed of [parent, ...this.surface.touchingOf(parent)]) {
      const family = this.families.get(familyName(needed));
      if (family) family.rank = Math.max(family.rank, rank);
    }
  }
}

// Returns the order for a view. `seaLevelM` is -Infinity in a world without a sea.
export function fetchOrderOf(
  selection: Selection, surface: Surface, view: View, factsOf: FactsOf, seaLevelM: number): FetchOrder {
  return new Order(selection, surface, view, factsOf, seaLevelM).run();
}
