// How a camera moves over a planet.
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {Rig} from '../src/camera/rig';
import {datumOf} from '../src/datum/datum';
import {directionOf, rayThrough} from '../src/datum/direction';
import {PlanetDatum} from '../src/datum/planet_datum';
import {Vector, add, dot, lengthOf, subtract, unit} from '../src/space/vector';
import {startOf} from '../src/state/start_pose';
import {fragmentOf, parsePose} from '../src/state/url';
import {Pose, verticalFovDeg} from '../src/datum/pose';
import {defaultState} from '../src/state/view_state';

const radiusM = 6371000;
const datum = datumOf({cell_size_m: 39092, levels: 18, sphere: {radius_m: radiusM}});
const ground = {x: 0, y: 0, z: 0};

const poses: fc.Arbitrary<Pose> = fc.record({
  place: fc.record({
    latitudeDeg: fc.double({min: -89.999, max: 89.999, noNaN: true}),
    longitudeDeg: fc.double({min: -180, max: 180, noNaN: true}),
  }),
  heightM: fc.double({min: 2, max: 2e7, noNaN: true}),
  headingDeg: fc.double({min: 0, max: 359, noNaN: true}),
  pitchDeg: fc.double({min: -89, max: -20, noNaN: true}),
});
// Spots of the picture, in halves of its height.
const spots = fc.record({
  right: fc.double({min: -0.6, max: 0.6, noNaN: true}), up: fc.double({min: -0.9, max: 0.3, noNaN: true}),
});
const settings = {seed: 5, numRuns: 300};

// Returns where the ray through a spot of the picture meets the datum, from the eye.
function groundAt(pose: Pose, {right, up}: {right: number; up: number}): Vector {
  const ray = rayThrough(pose.headingDeg, pose.pitchDeg, verticalFovDeg, right, up);
  return datum.onLevel(pose, ray, {...ground, z: -pose.heightM});
}

function inSpace(pose: Pose, point: Vector): Vector {
  return add(datum.eyeOf(pose), datum.toSpace(pose, point));
}

// Returns the angle between two directions, in radians.
function between(a: Vector, b: Vector): number {
  return lengthOf(subtract(unit(a), unit(b)));
}

describe('a camera over a planet', () => {
  it('keeps its height and pitch over the ground', () => {
    fc.assert(fc.property(poses, fc.double({min: -1e6, max: 1e6, noNaN: true}),
      fc.double({min: -1e6, max: 1e6, noNaN: true}), (pose, x, y) => {
        const there = datum.moved(pose, {x, y, z: 0});
        expect([there.heightM, there.pitchDeg]).toEqual([pose.heightM, pose.pitchDeg]);
        const angle = between(datum.eyeOf(pose), datum.eyeOf(there));
        const expected = 2 * Math.sin(Math.hypot(x, y) / (radiusM + pose.heightM) / 2);
        expect(angle).toBeCloseTo(expected, 9);
      }), settings);
  });

  it('flies straight over a pole', () => {
    let pose: Pose = {
      place: {latitudeDeg: 89.9, longitudeDeg: 20}, heightM: 1000, headingDeg: 3, pitchDeg: -20};
    for (let n = 0; n < 400; ++n) {
      const heading = pose.headingDeg * Math.PI / 180;
      const ahead = datum.toSpace(pose, directionOf(pose.headingDeg, 0));
      const next = datum.moved(pose, {x: 100 * Math.sin(heading), y: -100 * Math.cos(heading), z: 0});
      expect(lengthOf(subtract(datum.eyeOf(next), datum.eyeOf(pose)))).toBeCloseTo(100, 3);
      expect(between(ahead, datum.toSpace(next, directionOf(next.headingDeg, 0)))).toBeLessThan(2e-5);
      pose = next;
    }
    expect((pose.place as {latitudeDeg: number}).latitudeDeg).toBeLessThan(89.8);
  });

  it('zooms to a point that stays in place in the picture', () => {
    fc.assert(fc.property(poses, spots, fc.double({min: -0.5, max: 0.9, noNaN: true}), (pose, spot, share) => {
      const point = groundAt(pose, spot);
      const there = datum.approached(pose, point, share);
      expect(there.pitchDeg).toBe(pose.pitchDeg);
      const seen = datum.seenFrom(point, pose, there);
      // The camera moves away from it only as far as it is not behind the limb.
      if (share < 0 && lengthOf(seen) < (1 - share) * lengthOf(point) * 0.999) return;
      // The eye turns towards the point, and its heading turns with it.
      const at = (p: Pose, v: Vector): Vector => {
        const right = directionOf(p.headingDeg + 90, 0);
        const level = directionOf(p.headingDeg, 0);
        return {x: dot(v, right), y: dot(v, level), z: v.z};
      };
      expect(lengthOf(seen)).toBeCloseTo((1 - share) * lengthOf(point), 1);
      expect(between(at(pose, point), at(there, seen))).toBeLessThan(1e-6);
    }), settings);
  });

  it('drags the ground along with the pointer', () => {
    fc.assert(fc.property(poses, spots, spots, (pose, from, to) => {
      const grip = groundAt(pose, from);
      const there = datum.dragged(pose, grip, groundAt(pose, to));
      expect(there.heightM).toBe(pose.heightM);
      const apart = subtract(inSpace(pose, grip), inSpace(there, groundAt(there, to)));
      expect(lengthOf(apart)).toBeLessThan(1e-3 + 1e-9 * pose.heightM);
    }), settings);
  });

  it('turns about a point in the middle of the picture', () => {
    fc.assert(fc.property(poses, fc.double({min: -40, max: 40, noNaN: true}),
      fc.double({min: -5, max: 5, noNaN: true}), (pose, heading, pitch) => {
        const pivot = groundAt(pose, {right: 0, up: 0});
        // A line of sight beyond the limb meets nothing there.
        if (between(pivot, directionOf(pose.headingDeg, pose.pitchDeg)) > 1e-6) return;
        const there = datum.orbited(pose, pivot, heading, pitch);
        const seen = datum.seenFrom(pivot, pose, there);
        expect(lengthOf(seen) / lengthOf(pivot)).toBeCloseTo(1, 6);
        expect(between(seen, directionOf(there.headingDeg, there.pitchDeg))).toBeLessThan(1e-5);
      }), settings);
  });

  it('is exact to a millimetre', () => {
    fc.assert(fc.property(poses, (pose) => {
      const near = {...pose, heightM: 2};
      const there = datum.moved(near, {x: 0.001, y: 0, z: 0});
      const step = lengthOf(subtract(datum.eyeOf(there), datum.eyeOf(near)));
      expect(step).toBeGreaterThan(0.0009);
      expect(step).toBeLessThan(0.0011);
    }), settings);
  });

  it('may look up from the ground, and sees the planet from afar', () => {
    expect(datum.highestPitchDeg(2)).toBeGreaterThan(59);
    const limits = Array.from({length: 200}, (_, n) => datum.highestPitchDeg(2 * 1.09 ** n));
    limits.slice(1).forEach((limit, n) => {
      expect(limit).toBeLessThanOrEqual(limits[n]!);
      expect(limits[n]! - limit).toBeLessThan(8);
    });
    expect(limits.at(-1)).toBeLessThan(-89);
    const rig = new Rig({
      place: {latitudeDeg: 10, longitudeDeg: 10}, heightM: 1000, headingDeg: 0, pitchDeg: 0}, datum);
    rig.move(0, 0, 4e7);
    expect(rig.pose.pitchDeg).toBe(datum.highestPitchDeg(rig.pose.heightM));
  });
});

describe('places', () => {
  it('lie on a great circle', () => {
    const from = {latitudeDeg: 10, longitudeDeg: 170};
    const to = {latitudeDeg: 10, longitudeDeg: -170};
    const middle = datum.between(from, to, 0.5) as typeof from;
    expect(Math.abs(middle.longitudeDeg)).toBeCloseTo(180, 9);
    expect(middle.latitudeDeg).toBeGreaterThan(10);
    const whole = datum.distanceM(from, to);
    expect(datum.distanceM(from, middle)).toBeCloseTo(whole / 2, 3);
    expect(datum.distanceM({latitudeDeg: 0, longitudeDeg: 0}, {latitudeDeg: 90, longitudeDeg: 0}))
      .toBeCloseTo(radiusM * Math.PI / 2, 3);
  });

  it('are in links, to a millimetre', () => {
    fc.assert(fc.property(poses, (pose) => {
      const fragment = fragmentOf({...defaultState, world: 'blue-planet', pose}, datum);
      const back = parsePose(fragment, datum)!;
      const on = {...pose, heightM: 0};
      const apart = subtract(datum.eyeOf(on), datum.eyeOf({...back, heightM: 0}));
      expect(lengthOf(apart)).toBeLessThan(0.002);
      expect(Math.abs(back.heightM - pose.heightM)).toBeLessThan(0.006);
      expect(fragment).toContain('sun=');
    }), settings);
    for (const wrong of ['lat=1', 'lat=x&lon=2&height=5', 'east=5&south=6&height=7', 'lat=1&lon=1e9&height=5']) {
      expect(parsePose(wrong, datum)).toBeUndefined();
    }
  });

  it('are shown in degrees', () => {
    expect(datum.textOf({latitudeDeg: -12.5, longitudeDeg: 3})).toBe('12.50000° S · 3.00000° E');
  });
});

describe('the first view', () => {
  it('has the whole disc in the picture', () => {
    const world = {cell_size_m: 39092, levels: 18, sphere: {radius_m: radiusM},
      showplace: {side_m: 1e6, latitude_deg: 15, longitude_deg: -50}};
    for (const aspect of [0.5, 1, 1.8]) {
      const {pose, over} = startOf(world, aspect);
      expect(over).toBeUndefined();
      const seen = Math.asin(radiusM / (radiusM + pose.heightM));
      const half = Math.atan(Math.min(aspect, 1) * Math.tan(verticalFovDeg / 2 * Math.PI / 180));
      expect(seen).toBeLessThan(half);
      expect(seen).toBeGreaterThan(0.7 * half);
      expect(new PlanetDatum(39092, 18, radiusM).highestM).toBeGreaterThan(pose.heightM);
    }
  });
});
