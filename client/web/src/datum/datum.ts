// Places and camera movements, on a plane or on a planet. Immutable.
//
// Directions at an eye have x to the east, y to the south and z up, in metres. Directions and points in space are in
// the coordinates of the world's tiles (lod/view.ts).
import type {Grid} from '../lod/grid';
import type {Vector} from '../space/vector';
import type {Place} from './place';
import {PlaneDatum} from './plane_datum';
import {PlanetDatum} from './planet_datum';
import type {Pose} from './pose';

export interface Datum {
  readonly highestM: number;
  readonly lowestPitchDeg: number;
  // The lowest position of the sun.
  readonly lowestSunDeg: number;
  // The highest pitch at a height, so that a planet stays in the picture from afar.
  highestPitchDeg(heightM: number): number;

  // How the world is divided into tiles, about a pose.
  gridAbout(pose: Pose): Grid;
  // In space about a pose: the eye, a point over a place, and the place under a point.
  eyeOf(pose: Pose): Vector;
  pointOver(place: Place, heightM: number, about: Pose): Vector;
  placeUnder(point: Vector, about: Pose): Place;
  // Turns a direction at the eye into one in space, and back.
  toSpace(pose: Pose, direction: Vector): Vector;
  toEye(pose: Pose, direction: Vector): Vector;
  // A point given from one eye, as given from another.
  seenFrom(point: Vector, before: Pose, after: Pose): Vector;
  // Where a ray from the eye meets the level of a point; if it is too flat, a point in the distance.
  onLevel(pose: Pose, ray: Vector, grip: Vector): Vector;
  // The point that a camera turns about if a ray meets no ground.
  inDistance(pose: Pose, ray: Vector, clearanceM: number): Vector;

  // The pose after a step along the ground and up.
  moved(pose: Pose, step: Vector): Pose;
  // The pose after a part of the way to a point, which stays put in the picture; away if negative.
  approached(pose: Pose, point: Vector, share: number): Pose;
  // The pose after a turn about a point, which keeps its position in the picture.
  orbited(pose: Pose, pivot: Vector, headingDeg: number, pitchDeg: number): Pose;
  // The pose after the ground was dragged from one point of a level to another.
  dragged(pose: Pose, from: Vector, to: Vector): Pose;

  // The place at a part of the shortest way between two places.
  between(from: Place, to: Place, share: number): Place;
  distanceM(from: Place, to: Place): number;
  // How far from a camera ground is drawn finely, and how far it is drawn at all.
  rangeM(heightM: number, clearanceM: number): number;
  farthestM(heightM: number, rangeM: number): number;

  // A place as text for links, and for people.
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
