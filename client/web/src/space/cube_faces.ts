// The six faces of a cube around a planet, and how they adjoin: proto/geometry/cube_sphere.h.
import {Vector, scale} from './vector';

// The position of a face on the cube from -1 to 1: its middle, and the directions in which its x and y grow. The
// middle of face 2 is the north pole; face 0 has longitude 0 in its middle.
export interface FaceAxes {
  readonly middle: Vector;
  readonly x: Vector;
  readonly y: Vector;
}

function axes(...rows: readonly (readonly [number, number, number])[]): FaceAxes {
  const [middle, x, y] = rows.map(([x, y, z]) => ({x, y, z}));
  return {middle: middle!, x: x!, y: y!};
}

export const faces: readonly FaceAxes[] = [
  axes([1, 0, 0], [0, 1, 0], [0, 0, -1]),
  axes([0, 1, 0], [-1, 0, 0], [0, 0, -1]),
  axes([0, 0, 1], [-1, 0, 0], [0, 1, 0]),
  axes([-1, 0, 0], [0, 0, -1], [0, 1, 0]),
  axes([0, -1, 0], [0, 0, -1], [-1, 0, 0]),
  axes([0, 0, -1], [0, 1, 0], [-1, 0, 0]),
];

// The sides of a face, in the order of quarter turns from east to south.
export const east = 0;
export const south = 1;
export const west = 2;
export const north = 3;
export type Side = typeof east | typeof south | typeof west | typeof north;

// The face beyond a side, and the quarter turns (east to south) that turn a vector of this lattice into one of that
// face's.
export interface Crossing {
  readonly face: number;
  readonly turns: number;
}

function isSame(a: Vector, b: Vector): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z;
}

// Returns a face's directions along its lattice, in the order of sides.
function directionOf(face: FaceAxes, quarter: number): Vector {
  const along = quarter % 2 === 0 ? face.x : face.y;
  return quarter % 4 < 2 ? along : reversed(along);
}

// Turns -0 into 0.
function reversed(vector: Vector): Vector {
  const {x, y, z} = scale(-1, vector);
  return {x: x + 0, y: y + 0, z: z + 0};
}

function crossingOf(face: number, side: number): Crossing {
  const here = faces[face]!;
  const other = faces.findIndex(({middle}) => isSame(middle, directionOf(here, side)));
  // From there, this face's middle lies in the opposite direction.
  const behind = reversed(here.middle);
  const turns = [0, 1, 2, 3].find((turn) => isSame(directionOf(faces[other]!, side + turn), behind))!;
  return {face: other, turns};
}

const crossings = faces.map((_, face) => [east, south, west, north].map((side) => crossingOf(face, side)));

export function beyond(face: number, side: Side): Crossing {
  return crossings[face]![side]!;
}

// A vertex of a face's lattice: 0 to `cells` in both axes on the face itself.
export interface Vertex {
  readonly face: number;
  readonly x: number;
  readonly y: number;
}

// The same vertex in the lattice of the face beyond a side. A vertex beyond the side is on that face.
export function across(vertex: Vertex, side: Side, cells: number): Vertex {
  const crossing = beyond(vertex.face, side);
  // From the middle of the other face, in half cells, so that a quarter turn is exact.
  const shift = side < 2 ? -2 * cells : 2 * cells;
  let x = 2 * vertex.x - cells + (side % 2 === 0 ? shift : 0);
  let y = 2 * vertex.y - cells + (side % 2 === 0 ? 0 : shift);
  for (let turn = 0; turn < crossing.turns; ++turn) [x, y] = [-y, x];
  return {face: crossing.face, x: (x + cells) / 2, y: (y + cells) / 2};
}
