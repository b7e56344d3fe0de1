// The colours of the ground's cover. Runs in a worker.
import {coverNames} from '../generated/layers';
import {rampStops} from '../generated/ramps';
import {vertexCount} from './layer_codec';

// Returns the colour of a class from above.
export function coverColor(cover: number): readonly [number, number, number] {
  const [, red, green, blue] = rampStops.cover[cover] ?? rampStops.cover[coverNames.indexOf('Rock')]!;
  return [red, green, blue];
}

// Returns RGBA bytes for values of the layer: the colours of three classes, mixed by their weights. The
// last byte is the first class's number.
export function coverColors(values: Int32Array): Uint8Array {
  const colors = new Uint8Array(4 * vertexCount);
  for (let k = 0; k < vertexCount; ++k) {
    const packed = values[k]!;
    const second = packed >> 12 & 255;
    const third = packed >> 20 & 255;
    const first = coverColor(packed & 15);
    const next = coverColor(packed >> 4 & 15);
    const last = coverColor(packed >> 8 & 15);
    for (let c = 0; c < 3; ++c) {
      const mixed = (255 - second - third) * first[c]! + second * next[c]! + third * last[c]!;
      colors[4 * k + c] = Math.round(mixed / 255);
    }
    colors[4 * k + 3] = packed & 15;
  }
  return colors;
}
