// Points in space over an ellipsoid, and the height of a mesh there.

// In metres from the planet's middle. x points to latitude and longitude 0, z to the north pole.
export type Vector = readonly [number, number, number];

const radians = (degrees: number): number => degrees * Math.PI / 180;

// The ellipsoid's normal, which is also the direction of the place on the planet's faces.
export function upAt(latitude: number, longitude: number): Vector {
  const [phi, lambda] = [radians(latitude), radians(longitude)];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

// The point at this height above the ellipsoid with these semi-axes.
export function pointAt(
  latitude: number, longitude: number, axes: Vector, heightM = 0): Vector {
  const up = upAt(latitude, longitude);
  const [a, , b] = axes;
  const normal = a * a / Math.sqrt(a * a * (up[0] ** 2 + up[1] ** 2) + b * b * up[2] ** 2);
  return [
    (normal + heightM) * up[0], (normal + heightM) * up[1],
    (normal * (b * b) / (a * a) + heightM) * up[2],
  ];
}

export interface Surface {
  readonly positions: readonly Vector[];
  // Three per triangle, counterclockwise when seen from outside.
  readonly indices: ArrayLike<number>;
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// A place on a tile's edge may be beside the chord between two vertices of the edge, by less than this
// part of a triangle. Then the triangle's plane is continued.
const beside = 0.05;

// How far the mesh is above the foot, straight up. Of the triangles that face up, the one with the
// foot farthest inside counts. Undefined beside the mesh.
export function heightOver(surface: Surface, foot: Vector, up: Vector): number | undefined {
  const {positions, indices} = surface;
  let found: number | undefined;
  let inside = -beside;
  for (let n = 0; n < indices.length; n += 3) {
    const a = positions[indices[n]!]!;
    const ab = minus(positions[indices[n + 1]!]!, a);
    const ac = minus(positions[indices[n + 2]!]!, a);
    const to = minus(foot, a);
    // Möller & Trumbore 1997.
    const p = cross(up, ac);
    const area = dot(ab, p);
    if (!(area < 0)) continue;
    const u = dot(to, p) / area;
    const q = cross(to, ab);
    const v = dot(up, q) / area;
    const depth = Math.min(u, v, 1 - u - v);
    if (depth <= inside) continue;
    inside = depth;
    found = dot(ac, q) / area;
  }
  return found;
}
