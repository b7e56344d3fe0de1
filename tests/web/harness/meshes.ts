// Quantized meshes, read by two independent readers from npm, and their positions in
// space.
import decodeOfHere from '@here/quantized-mesh-decoder';
// @ts-expect-error: its types leave the loader out.
import {QuantizedMeshLoaderBase} from '3d-tiles-renderer/core/plugins';
import {bytesOf} from './server';
import {pointAt, type Surface, type Vector} from './space';

// There are two columns at zoom 0. Rows are counted from the south.
export interface GlobeTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

// The largest value of u and v.
export const quantizedMax = 32767;

export interface Mesh {
  // From 0 to 32,767.
  u: number[];
  v: number[];
  heights: number[];
  minHeight: number;
  maxHeight: number;
  triangles: number[];
  // The vertices of the west, south, east and north edge, in ascending order.
  edges: number[][];
  normalBytes: number;
  waterMaskBytes: number;
  metadata: unknown;
}

export function meshBytes(
  server: string, world: string, {z, x, y}: GlobeTile): Promise<ArrayBuffer> {
  return bytesOf(`${server}/v1/worlds/${world}/cesium/${z}/${x}/${y}.terrain`, {
    accept: 'application/vnd.quantized-mesh;extensions=octvertexnormals-watermask-metadata',
  });
}

export function tileAt(latitude: number, longitude: number, z: number): GlobeTile {
  const on = (part: number, tiles: number): number =>
    Math.min(tiles - 1, Math.floor(part * tiles));
  return {z, x: on((longitude + 180) / 360, 2 ** (z + 1)), y: on((latitude + 90) / 180, 2 ** z)};
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
  const whole = (parts: Iterable<number>): number[] => [...parts].map((x) => Math.round(x * quantizedMax));
  const {westIndices, southIndices, eastIndices, northIndices} = read.edgeIndices;
  const {octvertexnormals, watermask, metadata} = read.extensions;
  return {
    u: whole(read.vertexData.u), v: whole(read.vertexData.v), heights: whole(read.vertexData.height),
    minHeight: read.header.minHeight, maxHeight: read.header.maxHeight,
    triangles: [...read.indices],
    edges: [westIndices, southIndices, eastIndices, northIndices].map(ascending),
    // The reader has unfolded each normal from two bytes to three numbers.
    normalBytes: (octvertexnormals?.normals.length ?? 0) / 3 * 2,
    waterMaskBytes: watermask?.mask.length ?? 0,
    metadata: metadata?.json ?? null,
  };
}

// How far a mesh may be from the ground at the samples, in space (geographic::MeshErrorM): a 64th of
// the samples' spacing at the equator.
export const meshErrorM = (radiusM: number, zoom: number): number =>
  Math.PI * radiusM / 64 / 64 / 2 ** zoom;

// The step of heights, which are multiples of it above the lowest one.
export const heightStepM = (mesh: Mesh): number =>
  (mesh.maxHeight - mesh.minHeight) / quantizedMax;

// In metres.
export const heightAt = (mesh: Mesh, vertex: number): number =>
  mesh.minHeight + mesh.heights[vertex]! * heightStepM(mesh);

export function surfaceOf(mesh: Mesh, {z, x, y}: GlobeTile, axes: Vector): Surface {
  const positions = mesh.u.map((u, n) => pointAt(
    -90 + 180 * (y + mesh.v[n]! / quantizedMax) / 2 ** z,
    -180 + 180 * (x + u / quantizedMax) / 2 ** z, axes, heightAt(mesh, n)));
  return {positions, indices: mesh.triangles};
}
