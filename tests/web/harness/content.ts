// The content of this server's 3D Tiles, and the tile of a place.
import {bytesOf} from './server';
import {type Surface, type Vector, upAt} from './space';

export interface Cell {
  face: number;
  level: number;
  x: number;
  y: number;
}

export interface FacePlace {
  readonly face: number;
  // S2's s and t, from 0 to 1.
  readonly s: number;
  readonly t: number;
}

// A place on the planet's faces (s2coords.h: XYZtoFaceUV, the quadratic UVtoST).
export function facePlaceAt(latitude: number, longitude: number): FacePlace {
  const [x, y, z] = upAt(latitude, longitude);
  const axis = [x, y, z].map(Math.abs).reduce((longest, value, n, all) => value > all[longest]! ? n : longest, 0);
  const face = axis + ([x, y, z][axis]! < 0 ? 3 : 0);
  const [u, v] = [
    [y / x, z / x], [-x / y, z / y], [-x / z, -y / z],
    [z / x, y / x], [z / y, -x / y], [-y / z, -x / z],
  ][face]!;
  const placeOf = (on: number): number =>
    on >= 0 ? 0.5 * Math.sqrt(1 + 3 * on) : 1 - 0.5 * Math.sqrt(1 - 3 * on);
  return {face, s: placeOf(u!), t: placeOf(v!)};
}

// The S2 cell of a place.
export function cellAt(latitude: number, longitude: number, level: number): Cell {
  const {face, s, t} = facePlaceAt(latitude, longitude);
  const [x, y] = [s, t].map((along) => Math.min(2 ** level - 1, Math.floor(along * 2 ** level)));
  return {face, level, x: x!, y: y!};
}

// The surface, without its skirt.
export interface Content extends Surface {
  readonly indices: Uint16Array;
  // How far the mesh may be from the tile's vertices, and the step of its positions.
  readonly deviationM: number;
  readonly stepM: number;
}

export function contentBytes(
  server: string, world: string, {face, level, x, y}: Cell): Promise<ArrayBuffer> {
  return bytesOf(`${server}/v1/worlds/${world}/3dtiles/${face}/${level}/${x}/${y}.glb`);
}

// The semi-axes of the ellipsoid under a planet's content.
export async function axesOf(server: string, world: string): Promise<Vector> {
  const bytes = await bytesOf(`${server}/v1/worlds/${world}/3dtiles/tileset.json`);
  return JSON.parse(new TextDecoder().decode(bytes)).asset.extras.ellipsoid_m;
}

// How many vertices and indices come before those of the skirt: a mesh has 64 x 64
// cells.
const groundVertices = 65 * 65;
const groundIndices = 64 * 64 * 6;

export function readContent(bytes: ArrayBuffer): Content {
  const view = new DataView(bytes);
  const jsonBytes = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, jsonBytes)));
  const begin = 28 + jsonBytes;
  const {byteStride} = json.bufferViews[0];
  const [{translation, scale}] = json.nodes;
  const at = (n: number, axis: number): number =>
    translation[axis] + scale[axis] * view.getInt16(begin + n * byteStride + 2 * axis, true);
  return {
    // 3D Tiles turn glTF's y axis to z.
    positions: Array.from(
      {length: groundVertices}, (_, n): Vector => [at(n, 0), -at(n, 2), at(n, 1)]),
    indices: new Uint16Array(bytes.slice(
      begin + json.bufferViews[1].byteOffset,
      begin + json.bufferViews[1].byteOffset + 2 * groundIndices)),
    deviationM: json.asset.extras.deviation_m,
    stepM: json.asset.extras.step_m,
  };
}
