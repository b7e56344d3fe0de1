// What places are, and how a camera moves over them: on a plane or on a planet. Immutable.
//
// Directions at an eye are x to the east, y to the south and z up, all in metres; those of space are what the world's
// tiles are measured in (lod/view.ts).
import type {Grid} from '../lod/grid';
import type {Vector} from '../space/vector';
import type {Place} from './place';
import {PlaneDatum} from './plane_datum';
import {PlanetDatum} from './planet_datum';
import type {Pose} from './pose';

export interface Datum {
  readonly highestM: number;
  readonly lowestPitchDeg: number;
  // How low the sun may stand.
  readonly lowestSunDeg: number;
  // How far up a camera may look from a height: from afar a planet stays in the picture.
  highestPitchDeg(heightM: number): number;

  // How the world is cut into tiles, about a pose.
  gridAbout(pose: Pose): Grid;
  // The eye, a point over a place, and the place under a point, in space about a pose.
  eyeOf(pose: Pose): Vector;
  pointOver(place: Place, heightM: number, about: Pose): Vector;
  placeUnder(point: Vector, about: Pose): Place;
  // A direction at the eye as one of space, and back.
  toSpace(pose: Pose, direction: Vector): Vector;
  toEye(pose: Pose, direction: Vector): Vector;
  // What lies at a point from one eye, from another.
  seenFrom(point: Vector, before: Pose, after: Pose): Vector;
  // Where a ray from the eye meets the level of a point; where it is too flat, a point in the distance.
  onLevel(pose: Pose, ray: Vector, grip: Vector): Vector;
  // What a camera turns about where a ray meets no ground.
  inDistance(pose: Pose, ray: Vector, clearanceM: number): Vector;

  // After a step along the ground and up.
  moved(pose: Pose, step: Vector): Pose;
  // After a share of the way to a point, which stays where it is in the picture; away from it when negative.
  approached(pose: Pose, point: Vector, share: number): Pose;
  // Turned about a point, which stays where it is in the picture.
  orbited(pose: Pose, pivot: Vector, headingDeg: number, pitchDeg: number): Pose;
  // With what lay at one point of a level at another.
  dragged(pose: Pose, from: Vector, to: Vector): Pose;

  // On the shortest way between two places.
  between(from: Place, to: Place, share: number): Place;
  distanceM(from: Place, to: Place): number;
  // How far from a camera ground is drawn finely, and drawn at all.
  rangeM(heightM: number, clearanceM: number): number;
  farthestM(heightM: number, rangeM: number): number;

  // For links, and for people.
  linkOf(place: Place): readonly (readonly [string, string])[];
  fromLink(fields: URLSearchParams): Place | undefined;
  textOf(place: Place): string;
}

// What a datum needs to know of a world.
export interface Measured {
  readonly cell_size_m: number;
  readonly levels: number;
  readonly sphere?: {readonly radius_m: number};
}

export function datumOf({cell_size_m, levels, sphere}: Measured): Datum {
  return sphere ? new PlanetDatum(cell_size_m, levels, sphere.radius_m) : new PlaneDatum(cell_size_m, levels);
}
