// A layer over the ground: each vertex's position on the layer's scale. Runs in a worker.
import {decodeLayer, vertexCount} from './layer_codec';
import type {TileMessage} from './tile_message';

// A scale from values to 0 to 1: logarithmic from `unit` on (as log(1 + value / unit)), or linear without a unit. `max`
// and `unit` are in the unit of the layer's legend.
export interface OverlayScale {
  // How many of the layer's integer steps make the legend's unit.
  readonly perUnit: number;
  readonly max: number;
  readonly unit?: number;
}

export function fractionOf(value: number, scale: OverlayScale): number {
  const clamped = Math.min(Math.max(value, 0), scale.max);
  if (scale.unit === undefined) return clamped / scale.max;
  return Math.log1p(clamped / scale.unit) / Math.log1p(scale.max / scale.unit);
}

// Returns the value at a position on the scale, 0 to 1.
export function valueAt(fraction: number, scale: OverlayScale): number {
  if (scale.unit === undefined) return fraction * scale.max;
  return scale.unit * Math.expm1(fraction * Math.log1p(scale.max / scale.unit));
}

// Returns 257 x 257 bytes, 0 to 255 along the scale. Throws a RangeError without the layer.
export function overlayOf(message: TileMessage, number: number, scale: OverlayScale): Uint8Array {
  const layer = message.layers.find((candidate) => candidate.layer === number);
  if (!layer) throw new RangeError(`invalid tile: layer ${number} is missing`);
  const values = decodeLayer(layer.data, layer.latticeShift);
  const bytes = new Uint8Array(vertexCount);
  for (let k = 0; k < vertexCount; ++k) {
    bytes[k] = Math.round(255 * fractionOf(values[k]! / scale.perUnit, scale));
  }
  return bytes;
}
