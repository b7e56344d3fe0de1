// The content of 3D Tiles as this server makes it: which tile a place is in, and how high its mesh
// stands there.

type Vector = [number, number, number];

export interface Cell {
  face: number;
  level: number;
  x: number;
  y: number;
}

const radians = (degrees: number): number => degrees * Math.PI / 180;

// The normal of the ellipsoid, which is the direction of the place on the planet's faces.
export function upAt(latitude: number, longitude: number): Vector {
  const [phi, lambda] = [radians(latitude), radians(longitude)];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

// The S2 cell of a place (s2coords.h: XYZtoFaceUV, the quadratic UVtoST).
export function cellAt(latitude: number, longitude: number, level: number): Cell {
  const [x, y, z] = upAt(latitude, longitude);
  const axis = [x, y, z].map(Math.abs).reduce((most, value, n, all) => value > all[most]! ? n : most, 0);
  const face = axis + ([x, y, z][axis]! < 0 ? 3 : 0);
  const [u, v] = [
    [y / x, z / x], [-x / y, z / y], [-x / z, -y / z],
    [z / x, y / x], [z / y, -x / y], [-y / z, -x / z],
  ][face]!;
  const placeOf = (on: number): number =>
    on >= 0 ? 0.5 * Math.sqrt(1 + 3 * on) : 1 - 0.5 * Math.sqrt(1 - 3 * on);
  const [i, j] = [u!, v!].map((on) => Math.min(2 ** level - 1, Math.floor(placeOf(on) * 2 ** level)));
  return {face, level, x: i!, y: j!};
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export interface Content {
  // Metres from the planet's middle, z to the north pole.
  readonly positions: Vector[];
  readonly indices: Uint16Array;
  // By how much the mesh may be off at vertices of the tile, and how exact its positions are.
  readonly deviationM: number;
  readonly stepM: number;
}

export function readContent(bytes: ArrayBuffer): Content {
  const view = new DataView(bytes);
  const jsonBytes = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, jsonBytes)));
  const begin = 28 + jsonBytes;
  const [positions, , , indices] = json.accessors;
  const {byteStride} = json.bufferViews[0];
  const [{translation, scale}] = json.nodes;
  const at = (n: number, axis: number): number =>
    translation[axis] + scale[axis] * view.getInt16(begin + n * byteStride + 2 * axis, true);
  return {
    // 3D Tiles turn glTF's y to z.
    positions: Array.from({length: positions.count}, (_, n) => [at(n, 0), -at(n, 2), at(n, 1)]),
    indices: new Uint16Array(bytes.slice(
      begin + json.bufferViews[1].byteOffset,
      begin + json.bufferViews[1].byteOffset + 2 * indices.count)),
    deviationM: json.asset.extras.deviation_m,
    stepM: json.asset.extras.step_m,
  };
}

// How far above the foot the mesh is, straight up; undefined beside it. The highest one: skirts
// hang below.
export function heightOver(content: Content, foot: Vector, up: Vector): number | undefined {
  let highest: number | undefined;
  for (let n = 0; n < content.indices.length; n += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => content.positions[content.indices[n + k]!]!) as
      [Vector, Vector, Vector];
    // Möller & Trumbore 1997.
    const [ab, ac, to] = [minus(b, a), minus(c, a), minus(foot, a)];
    const p = cross(up, ac);
    const area = dot(ab, p);
    const u = dot(to, p) / area;
    if (!(u >= -1e-9 && u <= 1 + 1e-9)) continue;
    const q = cross(to, ab);
    const v = dot(up, q) / area;
    if (!(v >= -1e-9 && u + v <= 1 + 1e-9)) continue;
    const height = dot(ac, q) / area;
    if (highest === undefined || height > highest) highest = height;
  }
  return highest;
}

// A place on the ellipsoid.
export function footAt(latitude: number, longitude: number, axes: Vector): Vector {
  const up = upAt(latitude, longitude);
  const [a, , b] = axes;
  const normal = a * a / Math.sqrt(a * a * (up[0] ** 2 + up[1] ** 2) + b * b * up[2] ** 2);
  return [normal * up[0], normal * up[1], normal * (b * b) / (a * a) * up[2]];
}
