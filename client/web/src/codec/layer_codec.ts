// Decodes a layer, as proto/wire/README.md describes it.
import {decompress} from 'fzstd';
import {tileVertices} from '../lod/tile_key';

// Number of vertices of a tile.
export const vertexCount = tileVertices * tileVertices;

// Decodes a layer's bytes to 257 x 257 values, rows from north to south. Throws a RangeError for bytes
// that can't be decoded.
export function decodeLayer(data: Uint8Array, latticeShift: number): Int32Array {
  const planeCount = data[0] ?? 0;
  if (planeCount < 1 || planeCount > 4) throw new RangeError(`invalid layer: expected 1 to 4 planes, got ${planeCount}`);
  if (latticeShift > 30) throw new RangeError(`invalid lattice shift: expected 0 to 30, got ${latticeShift}`);
  const planes = decompress(data.subarray(1), new Uint8Array(planeCount * vertexCount));
  if (planes.length !== planeCount * vertexCount) {
    throw new RangeError(`invalid layer: expected ${planeCount * vertexCount} bytes, got ${planes.length}`);
  }
  const values = joinPlanes(planes, planeCount);
  undoPrediction(values, latticeShift);
  return values;
}

function joinPlanes(planes: Uint8Array, planeCount: number): Int32Array {
  const words = new Int32Array(vertexCount);
  for (let plane = 0; plane < planeCount; ++plane) {
    const [from, shift] = [plane * vertexCount, 8 * plane];
    for (let k = 0; k < vertexCount; ++k) words[k]! |= planes[from + k]! << shift;
  }
  return words;
}

// Turns words into values, in place. The prediction is the difference along both axes, so sums along both
// axes undo it, in 32 bits that wrap.
function undoPrediction(words: Int32Array, latticeShift: number): void {
  for (let y = 0, k = 0; y < tileVertices; ++y) {
    let row = 0;
    for (let x = 0; x < tileVertices; ++x, ++k) {
      const word = words[k]!;
      row = (row + ((word >>> 1) ^ -(word & 1))) | 0;
      words[k] = y === 0 ? row : row + words[k - tileVertices]!;
    }
  }
  if (latticeShift === 0) return;
  for (let k = 0; k < vertexCount; ++k) words[k]! <<= latticeShift;
}
