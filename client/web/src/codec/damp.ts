// How damp dry ground is because water is near. Runs in a worker.
import {tileVertices} from '../lod/tile_key';

// Flat ground this far from water is dry.
const reachM = 4.5;
// So is ground this high above it: water seeps up, and waves wash over flat shores.
const riseM = 0.9;
const riseCost = reachM / riseM;
// A vertex with this weight of running water, in 1/255, is as wet as one under water.
const wetRiver = 76;

// The water of a tile; arrays have a number for each vertex.
export interface Waters {
  // The height of the ground, or of standing water on it, in metres.
  readonly heights: Float32Array;
  // The depth of standing water; none if absent.
  readonly depths?: Int32Array | undefined;
  // The weight of running water, in 1/255.
  readonly rivers: Uint8Array;
  readonly seaLevelM?: number | undefined;
  readonly cellM: number;
}

// Returns a byte for each vertex: 255 at water, and less the farther and the higher the ground lies; 0 for dry ground. Water
// of other tiles does not count, except the sea.
export function dampOf({heights, depths, rivers, seaLevelM = -Infinity, cellM}: Waters): Uint8Array {
  const ways = heights.map((heightM, k) => {
    const toWater = depths && depths[k]! > 0 ? 0 : reachM * (1 - Math.min(rivers[k]! / wetRiver, 1));
    const toSea = heightM >= seaLevelM ? riseCost * (heightM - seaLevelM) : reachM;
    return Math.min(toWater, toSea);
  });
  const near = (k: number, neighbour: number, lengthM: number): void => {
    const way = ways[neighbour]! + lengthM + riseCost * Math.max(heights[k]! - heights[neighbour]!, 0);
    if (way < ways[k]!) ways[k] = way;
  };
  // Two passes with the neighbours that were visited before (Borgefors, Distance Transformations in Digital Images, 1986).
  const last = tileVertices - 1;
  const diagonalM = Math.SQRT2 * cellM;
  const visit = (x: number, y: number, step: 1 | -1): void => {
    const k = y * tileVertices + x;
    const row = k - step * tileVertices;
    const [hasBefore, hasAfter] = step > 0 ? [x > 0, x < last] : [x < last, x > 0];
    const hasRow = step > 0 ? y > 0 : y < last;
    if (hasBefore) near(k, k - step, cellM);
    if (!hasRow) return;
    near(k, row, cellM);
    if (hasBefore) near(k, row - step, diagonalM);
    if (hasAfter) near(k, row + step, diagonalM);
  };
  for (let y = 0; y <= last; ++y) for (let x = 0; x <= last; ++x) visit(x, y, 1);
  for (let y = last; y >= 0; --y) for (let x = last; x >= 0; --x) visit(x, y, -1);
  return Uint8Array.from(ways, (way) => Math.round(255 * (1 - Math.min(way / reachM, 1))));
}
