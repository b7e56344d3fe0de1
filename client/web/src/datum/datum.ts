// Places and camera movements, on a plane or on a planet. Immutable.
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
  // The highest pitch at a height, so that a planet stays in the picture from afar.
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
  // A point given from one eye, as seen from another.
  seenFrom(point: Vector, before: Pose, after: Pose): Vector;
  // Where a ray from the eye meets the level of a point; where it is too flat, a point in the distance.
  onLevel(pose: Pose, ray: Vector, grip: Vector): Vector;
  // The point that a camera turns about where a ray meets no ground.
  inDistance(pose: Pose, ray: Vector, clearanceM: number): Vector;

  // After a step along the ground and up.
  moved(pose: Pose, step: Vector): Pose;
  // After a share of the way to a point, which stays where it is in the picture; away from it when negative.
  approached(pose: Pose, point: Vector, share: number): Pose;
  // Turned about a point, which stays where it is in the picture.
  orbited(pose: Pose, pivot: Vector, headingDeg: number, pitchDeg: number): Pose;
  // After the ground at one point of a level has moved to another.
  dragged(pose: Pose, from: Vector, to: Vector): Pose;

  // On the shortest way between two places.
  between(from: Place, to: Place, share: number): Place;
  distanceM(from: Place, to: Place): number;
  // How far from a camera ground is drawn finely, and how far it is drawn.
  rangeM(heightM: number, clearanceM: number): number;
  farthestM(heightM: number, rangeM: number): number;

  // As text for links, and for people.
  linkOf(place: Place): readonly (readonly [string, string])[];
  fromLink(fields: URLSearchParams): Place | undefined;
  textOf(place: Place): string;
}

// The properties of a world that a datum needs.
export interface Measured {
  readonly cell_size_m: number;
  readonly levels: number;
  readonly sphere?: {readonly radius_m: number};
}

export function datumOf({cell_size_m, levels, sphere}: Measured): Datum {
  return sphere ? new PlanetDatum(cell_size_m, levels, sphere.radius_m) : new PlaneDatum(cell_size_m, levels);
}
