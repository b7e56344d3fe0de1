// Quantized meshes, read by two readers from npm: every tile is valid, and neighbours meet.
import {describe, expect, it} from 'vitest';
import {server, useServer} from './harness/fixture';
import {
  type GlobeTile, heightAt, type Mesh, meshBytes, quantizedMax, readByHere, readByRenderer,
} from './harness/meshes';
import {random} from './harness/random';
import {fewOrAll} from './harness/size';

useServer();

// The fewest have whole low zooms, and squares around both poles in the others.
const tileCount = fewOrAll(300, 1000);
// The last zoom of marble and pumice.
const maxZoom = 11;
// How many zooms are read completely.
const wholeZooms = 4;

// The tile east, west, south or north of another one, also around the globe; undefined beyond a pole.
function beside({z, x, y}: GlobeTile, east: number, north: number): GlobeTile | undefined {
  const [columns, rows] = [2 ** (z + 1), 2 ** z];
  if (y + north < 0 || y + north >= rows) return undefined;
  return {z, x: (x + east + columns) % columns, y: y + north};
}

const nameOf = ({z, x, y}: GlobeTile): string => `${z}/${x}/${y}`;

// All tiles of low zooms. Then, for the other zooms in turn, squares of 3 x 3: around both poles at the
// date line, at the date line, and anywhere.
function tiles(): GlobeTile[] {
  const draw = random(11);
  const all = new Map<string, GlobeTile>();
  const add = (tile: GlobeTile | undefined): void => {
    if (tile && all.size < tileCount) all.set(nameOf(tile), tile);
  };
  for (let z = 0; z < wholeZooms; ++z) {
    for (let y = 0; y < 2 ** z; ++y) {
      for (let x = 0; x < 2 ** (z + 1); ++x) add({z, x, y});
    }
  }
  for (let n = 0; all.size < tileCount; ++n) {
    const z = wholeZooms + n % (maxZoom + 1 - wholeZooms);
    const [columns, rows] = [2 ** (z + 1), 2 ** z];
    const somewhere = Math.floor(draw() * rows);
    const [x, y] = [
      [0, 0], [0, rows - 1], [0, somewhere], [Math.floor(draw() * columns), somewhere],
    ][Math.min(3, Math.floor(n / (maxZoom + 1 - wholeZooms)))]!;
    for (const north of [-1, 0, 1]) {
      for (const east of [-1, 0, 1]) add(beside({z, x: x!, y: y!}, east, north));
    }
  }
  return [...all.values()];
}

function expectSound(mesh: Mesh, z: number): void {
  const count = mesh.u.length;
  expect(count).toBeGreaterThan(256);
  for (const values of [mesh.u, mesh.v, mesh.heights]) {
    expect(values.length).toBe(count);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThanOrEqual(quantizedMax);
  }
  expect(new Set(mesh.triangles).size).toBe(count);
  expect(Math.min(...mesh.triangles)).toBe(0);
  expect(Math.max(...mesh.triangles)).toBe(count - 1);
  // The triangles cover the tile once.
  let [area, turned] = [0, 0];
  for (let n = 0; n < mesh.triangles.length; n += 3) {
    const [a, b, c] = mesh.triangles.slice(n, n + 3) as [number, number, number];
    const doubled = (mesh.u[b]! - mesh.u[a]!) * (mesh.v[c]! - mesh.v[a]!) -
      (mesh.u[c]! - mesh.u[a]!) * (mesh.v[b]! - mesh.v[a]!);
    if (doubled <= 0) ++turned;
    area += doubled;
  }
  expect(turned).toBe(0);
  expect(area).toBe(2 * quantizedMax ** 2);
  const on = (values: number[], value: number): number[] =>
    values.flatMap((one, n) => one === value ? [n] : []);
  expect(mesh.edges).toEqual(
    [on(mesh.u, 0), on(mesh.v, 0), on(mesh.u, quantizedMax), on(mesh.v, quantizedMax)]);
  expect(mesh.edges.map((edge) => edge.length)).toEqual([65, 65, 65, 65]);
  expect(mesh.normalBytes).toBe(2 * count);
  expect([1, 65536]).toContain(mesh.waterMaskBytes);
  expect(mesh.metadata !== null).toBe(z % 10 === 0);
}

// Heights in metres along the west, south, east and north edge, beginning in the south or the west.
type Edges = readonly (readonly number[])[];

const edgesOf = (mesh: Mesh): Edges => mesh.edges.map((edge, side) => {
  const along = side % 2 === 0 ? mesh.v : mesh.u;
  return [...edge].sort((a, b) => along[a]! - along[b]!).map((n) => heightAt(mesh, n));
});
const [west, south, east, north] = [0, 1, 2, 3] as const;

describe('Readers of quantized meshes', () => {
  const edges = new Map<string, Edges>();
  const masks = new Set<number>();
  const read = tiles();

  it(`read ${tileCount} tiles alike`, async () => {
    for (const tile of read) {
      const bytes = await meshBytes(server.url, 'marble', tile);
      const {metadata: first, ...same} = readByHere(bytes);
      expectSound({...same, metadata: first}, tile.z);
      const {metadata, ...other} = readByRenderer(bytes);
      expect(other).toEqual(same);
      expect(metadata === null).toBe(first === null);
      masks.add(same.waterMaskBytes);
      edges.set(nameOf(tile), edgesOf({...same, metadata}));
    }
    expect(edges.size).toBe(tileCount);
    expect(masks.size).toBe(2);
  }, 400_000);

  // The common edges of tiles that were both read: the heights of one tile, and those of the other.
  const shared = (away: number): [string, readonly number[], readonly number[]][] =>
    read.flatMap((tile) => ([[away, 0, east, west], [0, away, north, south]] as const)
      .flatMap(([columns, rows, here, there]): [string, readonly number[], readonly number[]][] => {
        const next = beside(tile, columns, rows);
        const other = next && edges.get(nameOf(next));
        return other ? [[nameOf(tile), edges.get(nameOf(tile))![here]!, other[there]!]] : [];
      }));

  it('find the same heights on both sides of an edge', () => {
    const pairs = shared(1);
    expect(pairs.length).toBeGreaterThan(tileCount);
    expect(pairs.filter(([, here, there]) => JSON.stringify(here) !== JSON.stringify(there))
      .map(([name]) => name)).toEqual([]);
    // A pole is a single vertex.
    for (const [row, side] of [[() => 0, south], [(z: number) => 2 ** z - 1, north]] as const) {
      for (let z = 0; z <= maxZoom; ++z) {
        const heights = read.filter((tile) => tile.z === z && tile.y === row(z))
          .flatMap((tile) => edges.get(nameOf(tile))![side]!);
        expect(new Set(heights).size).toBe(1);
      }
    }
  });

  // The twin: tiles that are not neighbours have other heights on their edges.
  it('find different heights on edges that are not shared', () => {
    const pairs = shared(2).filter(([name]) => !name.startsWith('0/'));
    expect(pairs.length).toBeGreaterThan(100);
    const same = pairs.filter(([, here, there]) => JSON.stringify(here) === JSON.stringify(there));
    expect(same.length).toBeLessThan(pairs.length / 2);
  });
});
