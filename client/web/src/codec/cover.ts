// The ground's cover: its colours, and how much of each class there is. Runs in a worker.
import {coverNames} from '../generated/layers';
import {rampStops} from '../generated/ramps';
import {vertexCount} from './layer_codec';

// How many classes of a tile keep their weights.
const maxParts = 4;

// The commonest classes of a tile, and their weights.
export interface CoverParts {
  // The classes' numbers, up to four, the commonest first.
  readonly classes: readonly number[];
  // Four bytes for each vertex: the weights of these classes in 1/255. The sum is smaller where the vertex has others.
  readonly weights: Uint8Array;
}

// Returns the colour of a class from above.
export function coverColor(cover: number): readonly [number, number, number] {
  const [, red, green, blue] = rampStops.cover[cover] ?? rampStops.cover[coverNames.indexOf('Rock')]!;
  return [red, green, blue];
}

// Returns the commonest class of a value of the layer.
export function firstClass(packed: number): number {
  return packed & 15;
}

// Calls `take` with each class of a value of the layer and its weight in 1/255.
function forEachPart(packed: number, take: (cover: number, weight: number) => void): void {
  const second = packed >> 12 & 255;
  const third = packed >> 20 & 255;
  take(firstClass(packed), 255 - second - third);
  take(packed >> 4 & 15, second);
  take(packed >> 8 & 15, third);
}

// Returns RGBA bytes for values of the layer: the colours of three classes, mixed by their weights, and in the last byte
// how damp the ground is, if that is known.
export function coverColors(values: Int32Array, damp?: Uint8Array): Uint8Array {
  const colors = new Uint8Array(4 * vertexCount);
  const mixed = [0, 0, 0];
  for (let k = 0; k < vertexCount; ++k) {
    const packed = values[k]!;
    mixed.fill(0);
    forEachPart(packed, (cover, weight) => {
      const color = coverColor(cover);
      for (let c = 0; c < 3; ++c) mixed[c]! += weight * color[c]!;
    });
    for (let c = 0; c < 3; ++c) colors[4 * k + c] = Math.round(mixed[c]! / 255);
    colors[4 * k + 3] = damp?.[k] ?? 0;
  }
  return colors;
}

// Returns the weight of a class in each of some values of the layer, in 1/255.
export function weightsOf(values: Int32Array, wanted: number): Uint8Array {
  const weights = new Uint8Array(values.length);
  values.forEach((packed, k) => forEachPart(packed, (cover, weight) => {
    if (cover === wanted) weights[k]! += weight;
  }));
  return weights;
}

// Returns the commonest classes among values of the layer, with their weights.
export function coverParts(values: Int32Array): CoverParts {
  const sums = new Array<number>(16).fill(0);
  for (const packed of values) forEachPart(packed, (cover, weight) => { sums[cover]! += weight; });
  const classes = sums.map((_, cover) => cover).filter((cover) => sums[cover]! > 0)
    .sort((a, b) => sums[b]! - sums[a]! || a - b).slice(0, maxParts);
  const weights = new Uint8Array(maxParts * vertexCount);
  const places = sums.map((_, cover) => classes.indexOf(cover));
  values.forEach((packed, k) => forEachPart(packed, (cover, weight) => {
    if (places[cover]! >= 0) weights[maxParts * k + places[cover]!]! += weight;
  }));
  return {classes, weights};
}
