// An estimate of a tile's facts, from known facts of it and of its ancestors: proto/geometry/selection.h.
import {Grid, cellSizeM} from './grid';
import type {Heights} from './surface';
import {TileKey, parentOf} from './tile_key';

// Facts that come only with the tile itself, in 1/65,536 m.
export interface TileFacts {
  readonly geometricError: number;
  readonly minHeight: number;
  readonly maxHeight: number;
}

// Returns the facts of a tile, or undefined while they are unknown.
export type FactsOf = (key: TileKey) => TileFacts | undefined;

// An estimate, in metres.
export interface Forecast {
  // The error of the ground if this tile is drawn in place of its children.
  readonly errorM: number;
  // The range of its ground's heights; undefined until a tile that covers it is known.
  readonly heights?: Heights;
}

const metresPerUnit = 1 / 65536;
const latticeCells = 1 / 64;

export function forecastOf(grid: Grid, key: TileKey, factsOf: FactsOf): Forecast {
  let known = key;
  let facts = factsOf(known);
  while (!facts && known.level > 0) {
    known = parentOf(known);
    facts = factsOf(known);
  }
  const strayed = facts && known.level > 0 ? facts.geometricError * metresPerUnit
                                           : cellSizeM(grid, known.level);
  const expected = strayed * 2 ** (known.level - key.level - 1);
  const errorM = Math.max(expected, latticeCells * cellSizeM(grid, key.level));
  if (!facts) return {errorM};
  return {
    errorM,
    heights: {min: facts.minHeight * metresPerUnit, max: facts.maxHeight * metresPerUnit},
  };
}
