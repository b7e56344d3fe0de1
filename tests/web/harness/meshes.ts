// Quantized meshes as two readers from npm read them, which know nothing of each other.
import decodeOfHere from '@here/quantized-mesh-decoder';
// @ts-expect-error: its types leave the loader out.
import {QuantizedMeshLoaderBase} from '3d-tiles-renderer/core/plugins';

export interface Mesh {
  // 0 to 32,767.
  u: number[];
  v: number[];
  heights: number[];
  minHeight: number;
  maxHeight: number;
  triangles: number[];
  // West, south, east and north, each in the order of the vertices' numbers.
  edges: number[][];
  normalBytes: number;
  waterMaskBytes: number;
  metadata: unknown;
}

const ascending = (indices: Iterable<number>): number[] => [...indices].sort((a, b) => a - b);

export function readByHere(buffer: ArrayBuffer): Mesh {
  const read = decodeOfHere(buffer.slice(0));
  const count = read.vertexData.length / 3;
  const part = (n: number): number[] => [...read.vertexData.slice(n * count, (n + 1) * count)];
  return {
    u: part(0), v: part(1), heights: part(2),
    minHeight: read.header.minHeight, maxHeight: read.header.maxHeight,
    triangles: [...read.triangleIndices],
    edges: [read.westIndices, read.southIndices, read.eastIndices, read.northIndices].map(ascending),
    normalBytes: read.extensions.vertexNormals?.length ?? 0,
    waterMaskBytes: read.extensions.waterMask?.byteLength ?? 0,
    metadata: read.extensions.metadata ?? null,
  };
}

export function readByRenderer(buffer: ArrayBuffer): Mesh {
  const read = new QuantizedMeshLoaderBase().parse(buffer.slice(0));
  const whole = (parts: Iterable<number>): number[] => [...parts].map((x) => Math.round(x * 32767));
  const {westIndices, southIndices, eastIndices, northIndices} = read.edgeIndices;
  const {octvertexnormals, watermask, metadata} = read.extensions;
  return {
    u: whole(read.vertexData.u), v: whole(read.vertexData.v), heights: whole(read.vertexData.height),
    minHeight: read.header.minHeight, maxHeight: read.header.maxHeight,
    triangles: [...read.indices],
    edges: [westIndices, southIndices, eastIndices, northIndices].map(ascending),
    // Unfolded from two bytes each to three numbers.
    normalBytes: (octvertexnormals?.normals.length ?? 0) / 3 * 2,
    waterMaskBytes: watermask?.mask.length ?? 0,
    metadata: metadata?.json ?? null,
  };
}
