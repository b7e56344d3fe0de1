// The height of a place is the same in all forms of a planet: quantized meshes, 3D Tiles, terrarium
// tiles and SampleHeights.
import {beforeAll, describe, expect, it} from 'vitest';
import {axesOf, cellAt, contentBytes, readContent} from './harness/content';
import {server, useServer} from './harness/fixture';
import {sampleHeights} from './harness/heights';
import {
  heightStepM, meshBytes, meshErrorM, readByHere, surfaceOf, tileAt,
} from './harness/meshes';
import {random} from './harness/random';
import {fewOrAll} from './harness/size';
import {heightOver, pointAt, type Surface, upAt, type Vector} from './harness/space';
import {type Between, between, terrariumOf, terrariumStepM} from './harness/terrarium';

useServer();

// The number of random points on each planet, in addition to those at seams. The largest test is
// THALWEG_AGREEMENT_POINTS=500: it also prints its results.
const asked = process.env['THALWEG_AGREEMENT_POINTS'];
const pointCount = Number(asked ?? fewOrAll(10, 60));
interface World {
  readonly name: string;
  readonly hasSea: boolean;
}
const worlds: readonly World[] = [{name: 'marble', hasSea: true}, {name: 'pumice', hasSea: false}];
// Both worlds have this many levels.
const levels = 9;
const testTimeout = 240_000 + 4_000 * pointCount;

interface Point {
  readonly latitude: number;
  readonly longitude: number;
  readonly level: number;
}

// Where faces and tiles meet: poles, the date line, edges of faces and their corners.
function seams(): [latitude: number, longitude: number][] {
  const corner = Math.asin(1 / Math.sqrt(3)) * 180 / Math.PI;
  return [
    [90, 0], [-90, 0], [90, 77], [-90, -133], [89.9999, 12], [-89.9999, -100],
    [0, 180], [0, -180], [51.7, 180], [-33.3, -180], [12.3, 179.9999], [-12.3, -179.9999],
    [0, 0], [0, 90], [45, 0], [-45, 180], [45, 90], [-45, -90],
    ...[-135, -45, 45, 135].flatMap((longitude): [number, number][] =>
      [[corner, longitude], [-corner, longitude], [0, longitude], [20.4, longitude]]),
  ];
}

function points(): Point[] {
  const draw = random(71);
  const anywhere = Array.from({length: pointCount}, (): [number, number] =>
    [Math.asin(2 * draw() - 1) * 180 / Math.PI, -180 + 360 * draw()]);
  // The fewest are a third.
  return [...seams(), ...anywhere].filter((_, n) => n % fewOrAll(3, 1) === 0)
    .map(([latitude, longitude], n) => ({latitude, longitude, level: n % levels}));
}

// The heights of all points in metres, by SampleHeights.
async function sampledAt(world: string, points: readonly Point[]): Promise<number[]> {
  const heights: number[] = [];
  // A request has one level and at most 256 tiles.
  const maxPoints = 250;
  for (let level = 0; level < levels; ++level) {
    const all = points.flatMap((point, n) => point.level === level ? [n] : []);
    for (let first = 0; first < all.length; first += maxPoints) {
      const some = all.slice(first, first + maxPoints);
      const found = await sampleHeights(server.grpc, {
        world, level, latitude_deg: some.map((n) => points[n]!.latitude),
        longitude_deg: some.map((n) => points[n]!.longitude),
      });
      some.forEach((n, k) => { heights[n] = found[k]!; });
    }
  }
  return heights;
}

const forms = ['terrarium', 'quantized-mesh', '3D Tiles'] as const;
type Form = typeof forms[number];

// A height in one of the forms, and its allowed difference from SampleHeights: a step of the form, and
// the error that the server states for its meshes. This error is stated only for vertices of the tile.
// Between them, the ground of these planets bends by less than the rest of the allowed difference.
interface Reading {
  readonly heightM: number;
  readonly allowedM: number;
}
type Readings = Record<Form, Reading> & {
  // Meshes show the surface of water, but SampleHeights returns the ground. From two layers of terrarium.
  readonly depthM: number;
};

// The rounding of SampleHeights itself: heights are rounded down to 1/65,536 m, and a point's position in its cell to
// 1/32,768 of both sides.
const sampleStepM = (rangeM: number): number => 2 ** -16 + 2 * rangeM / 32768;

// The zoom at which meshes show a level.
const zoomOf = (level: number): number => level + 3;

async function readingsAt(
  {name: world, hasSea}: World, {latitude, longitude, level}: Point,
  axes: Vector): Promise<Readings> {
  const [foot, up] = [pointAt(latitude, longitude, axes), upAt(latitude, longitude)];
  const heightOf = (surface: Surface): number => {
    const heightM = heightOver(surface, foot, up);
    if (heightM === undefined) throw new Error(`the mesh has no ground at ${latitude}, ${longitude}`);
    return heightM;
  };
  const cell = cellAt(latitude, longitude, level);
  const pixelsOf = async (layer: string): Promise<Between> => between(
    await terrariumOf(server.url, world, cell, layer), latitude, longitude, level);
  const ground = await pixelsOf('height');
  const surface = hasSea ? await pixelsOf('water-level') : ground;
  const sampleM = sampleStepM(ground.rangeM);
  // Both layers are rounded to the nearest step of terrarium.
  const depthStepM = hasSea ? terrariumStepM : 0;

  const tile = tileAt(latitude, longitude, zoomOf(level));
  const mesh = readByHere(await meshBytes(server.url, world, tile));
  const content = readContent(await contentBytes(server.url, world, cell));
  return {
    depthM: surface.heightM - ground.heightM,
    terrarium: {heightM: ground.heightM, allowedM: terrariumStepM / 2 + sampleM},
    'quantized-mesh': {
      heightM: heightOf(surfaceOf(mesh, tile, axes)),
      allowedM: meshErrorM(axes[0], tile.z) + heightStepM(mesh) + sampleM + depthStepM,
    },
    '3D Tiles': {
      heightM: heightOf(content),
      allowedM: content.deviationM + content.stepM + sampleM + depthStepM,
    },
  };
}

interface Measured {
  readonly points: Point[];
  readonly readings: Readings[];
  readonly sampled: number[];
}

// The difference from SampleHeights as a part of the allowed one. It is positive if the form is higher.
const shareOf = (form: Form, readings: Readings, sampledM: number): number => {
  const {heightM, allowedM} = readings[form];
  const depthM = form === 'terrarium' ? 0 : readings.depthM;
  return (heightM - sampledM - depthM) / allowedM;
};

function shares(form: Form, {readings, sampled}: Measured): number[] {
  return readings.map((one, n) => shareOf(form, one, sampled[n]!));
}

const largest = (all: number[]): number => Math.max(...all.map(Math.abs));

describe.each(worlds)('$name', (world) => {
  let measured: Measured;

  beforeAll(async () => {
    const axes = await axesOf(server.url, world.name);
    const all = points();
    const readings: Readings[] = [];
    for (const point of all) readings.push(await readingsAt(world, point, axes));
    measured = {points: all, readings, sampled: await sampledAt(world.name, all)};
    if (asked !== undefined) show(world.name, measured);
  }, testTimeout);

  it.each(forms)('has the heights of SampleHeights in %s', (form) => {
    expect(largest(shares(form, measured))).toBeLessThan(1);
  });

  // The twins: the test finds a difference that is 1% too large, and heights of other points.
  it.each(forms)('disagrees when %s is raised', (form) => {
    const raised = shares(form, measured).map((share) => share + 1.01);
    expect(largest(raised)).toBeGreaterThan(1);
  });

  it.each(forms)('disagrees when %s is of other points', (form) => {
    const {readings} = measured;
    // The readings of other points of the same level.
    const others = readings.map((_, n) => readings[(n + levels) % readings.length]!);
    expect(largest(shares(form, {...measured, readings: others}))).toBeGreaterThan(10);
  });
});

// Prints the largest differences of each form.
function show(world: string, all: Measured): void {
  console.table(forms.map((form) => {
    const found = shares(form, all);
    const worst = found.findIndex((share) => Math.abs(share) === largest(found));
    const {latitude, longitude, level} = all.points[worst]!;
    return {
      world, form, points: found.length, share: largest(found).toFixed(3),
      at: `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`, level,
      allowedM: all.readings[worst]![form].allowedM.toPrecision(4),
    };
  }));
}
