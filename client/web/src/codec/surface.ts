// The drawn data of a tile: heights of ground and water; and normals, depths, flow and cover for pixels. Runs in a
// worker.
import {coverNames} from '../generated/layers';
import {TileKey, tileVertices} from '../lod/tile_key';
import {CoverParts, coverColors, coverParts, firstClass, weightsOf} from './cover';
import {dampOf} from './damp';
import {alongColumns} from './face_normals';
import {toHalf} from './half_float';
import {decodeLayer, vertexCount} from './layer_codec';
import {layerNumber} from './layers';
import type {TileLayer, TileMessage} from './tile_message';

// How many numbers each vertex has in `shading`: the unit normal's eastward and southward part; the depth
// of standing water in metres, below 0 near a shore and farFromWater elsewhere; log2 of the discharge in
// cells' rain.
export const shadingNumbers = 4;
// The depth for ground that is far from any water.
export const farFromWater = -1000;
// The steps between the vertices that meshes use.
export const strides = [1, 2, 4, 8] as const;

// Typed arrays hold 257 x 257 vertices, rows from north to south.
export interface Surface {
  // The height of the ground, or of standing water on it, in metres.
  readonly heights: Float32Array;
  // `shadingNumbers` half floats for each vertex.
  readonly shading: Uint16Array;
  // RGBA bytes: the colours of the cover's classes, mixed, and how damp the ground is: see damp.ts. It is 0 for ground that
  // is never seen from near. Absent if the tile has no cover.
  readonly cover?: Uint8Array;
  // The commonest class of each vertex; absent if the tile has no cover.
  readonly classes?: Uint8Array;
  // From coverParts; only for ground that may be seen from near.
  readonly parts?: CoverParts;
  // The range of the ground's heights without water, in 1/65,536 m.
  readonly minHeight: number;
  readonly maxHeight: number;
  // In 1/65,536 m.
  readonly geometricError: number;
  // The error of the borders of a mesh with each stride, in metres.
  readonly borderErrorM: readonly number[];
  // Whether water stands on it, and whether some of it is dry.
  readonly hasWater: boolean;
  readonly hasLand: boolean;
  // The largest depth of water on its borders, in metres.
  readonly borderDepthM: number;
}

const metresPerUnit = 1 / 65536;

function layerOf(message: TileMessage, number: number): TileLayer | undefined {
  return message.layers.find((layer) => layer.layer === number);
}

function valuesOf(message: TileMessage, number: number): Int32Array | undefined {
  const layer = layerOf(message, number);
  return layer && decodeLayer(layer.data, layer.latticeShift);
}

// What a tile's message does not say.
export interface TileSetting {
  readonly seaLevelM?: number;
  // The key of a planet's tile.
  readonly onPlanet?: TileKey;
  // The size of its cells, if the ground may be seen from near: the weights of classes and dampness are needed then.
  readonly nearCellM?: number;
}

// Throws a RangeError if the tile has no height or can't be decoded.
export function surfaceOf(message: TileMessage, {seaLevelM, onPlanet, nearCellM}: TileSetting): Surface {
  const height = layerOf(message, layerNumber('height'));
  if (!height) throw new RangeError('invalid tile: the layer height is missing');
  const ground = decodeLayer(height.data, height.latticeShift);
  const depths = valuesOf(message, layerNumber('water-depth'));
  const levels = valuesOf(message, layerNumber('water-level'));
  const heights = new Float32Array(vertexCount);
  const latticeM = 2 ** height.latticeShift * metresPerUnit;
  for (let k = 0; k < vertexCount; ++k) {
    heights[k] = surfaceHeightM(ground[k]!, depths?.[k] ?? 0, levels?.[k], seaLevelM, latticeM);
  }
  const shading = new Uint16Array(shadingNumbers * vertexCount);
  writeNormals(shading, valuesOf(message, layerNumber('normal')), onPlanet);
  writeDepths(shading, heights, depths);
  writeFlow(shading, valuesOf(message, layerNumber('flow')));
  const cover = valuesOf(message, layerNumber('cover'));
  const damp = cover && nearCellM ? dampOf({
    heights, depths, rivers: weightsOf(cover, coverNames.indexOf('River')), seaLevelM, cellM: nearCellM,
  }) : undefined;
  return {
    heights,
    shading,
    ...(cover && {cover: coverColors(cover, damp), classes: Uint8Array.from(cover, firstClass)}),
    ...(cover && nearCellM && {parts: coverParts(cover)}),
    minHeight: height.min,
    maxHeight: height.max,
    geometricError: message.geometricError,
    borderErrorM: strides.map((stride) => borderErrorM(heights, stride)),
    hasWater: depths?.some((depth) => depth > 0) ?? false,
    hasLand: depths?.some((depth) => depth <= 0) ?? true,
    borderDepthM: borderDepthM(depths),
  };
}

// Returns the drawn height. A lake is flat if its level is known. Otherwise its surface is the rounded height plus the
// depth, or the sea level if that is close.
function surfaceHeightM(
  ground: number, depth: number, level: number | undefined, seaLevelM: number | undefined,
  latticeM: number): number {
  if (depth <= 0) return ground * metresPerUnit;
  const surface = (level ?? ground + depth) * metresPerUnit;
  return seaLevelM !== undefined && Math.abs(surface - seaLevelM) <= latticeM ? seaLevelM : surface;
}

function writeNormals(
  shading: Uint16Array, normals: Int32Array | undefined, onPlanet: TileKey | undefined): void {
  if (!normals) return;
  const write = (k: number, [east, south]: readonly [number, number]): void => {
    shading[shadingNumbers * k] = toHalf(east);
    shading[shadingNumbers * k + 1] = toHalf(south);
  };
  const read = (k: number): readonly [number, number] =>
    [((normals[k]! << 16) >> 16) / 32767, (normals[k]! >> 16) / 32767];
  for (let k = 0; k < vertexCount; ++k) write(k, read(k));
  if (onPlanet) alongColumns(onPlanet, (k, turn) => write(k, turn(read(k))));
}

// Writes depths; dry ground beside water gets a negative one, so that they are 0 at the shore.
function writeDepths(shading: Uint16Array, heights: Float32Array, depths: Int32Array | undefined): void {
  const far = toHalf(farFromWater);
  for (let k = 0; k < vertexCount; ++k) shading[shadingNumbers * k + 2] = far;
  if (!depths) return;
  for (let y = 0, k = 0; y < tileVertices; ++y) {
    for (let x = 0; x < tileVertices; ++x, ++k) {
      if (depths[k]! > 0) {
        shading[shadingNumbers * k + 2] = toHalf(depths[k]! * metresPerUnit);
        continue;
      }
      const level = waterBesideM(x, y, heights, depths);
      if (level === undefined) continue;
      const above = Math.max(heights[k]! - level, 1e-3);
      shading[shadingNumbers * k + 2] = toHalf(-Math.min(above, -farFromWater));
    }
  }
}

// Returns the highest surface of the water around a dry vertex.
function waterBesideM(
  x: number, y: number, heights: Float32Array, depths: Int32Array): number | undefined {
  let level: number | undefined;
  for (let south = Math.max(y - 1, 0); south <= Math.min(y + 1, tileVertices - 1); ++south) {
    for (let east = Math.max(x - 1, 0); east <= Math.min(x + 1, tileVertices - 1); ++east) {
      const k = south * tileVertices + east;
      if (depths[k]! > 0) level = Math.max(level ?? heights[k]!, heights[k]!);
    }
  }
  return level;
}

function writeFlow(shading: Uint16Array, flow: Int32Array | undefined): void {
  if (!flow) return;
  for (let k = 0; k < vertexCount; ++k) {
    shading[shadingNumbers * k + 3] = toHalf(Math.log2(1 + flow[k]! / 256));
  }
}

const last = tileVertices - 1;
// The first vertex of each border, and the step to the next.
const borders: readonly (readonly [number, number])[] = [
  [0, 1], [last * tileVertices, 1], [0, tileVertices], [last, tileVertices],
];

function borderDepthM(depths: Int32Array | undefined): number {
  let max = 0;
  for (const [first, step] of depths ? borders : []) {
    for (let n = 0; n <= last; ++n) max = Math.max(max, depths![first + n * step]!);
  }
  return max * metresPerUnit;
}

// Returns the largest distance of border vertices from the lines between every stride-th one.
function borderErrorM(heights: Float32Array, stride: number): number {
  let error = 0;
  for (const [first, step] of borders) {
    for (let n = 0; n < last; n += stride) {
      const from = heights[first + n * step]!;
      const to = heights[first + (n + stride) * step]!;
      for (let m = 1; m < stride; ++m) {
        const straight = from + (to - from) * m / stride;
        error = Math.max(error, Math.abs(heights[first + (n + m) * step]! - straight));
      }
    }
  }
  return error;
}
