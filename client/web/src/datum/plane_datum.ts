// An infinite plane. Space has its origin at the corner of the pose's level-0 tile: east, south, up.
import type {Grid} from '../lod/grid';
import {tileCells} from '../lod/tile_key';
import {Vector, scale} from '../space/vector';
import type {Datum} from './datum';
import {Place, PlanePlace, isOnPlanet, metresText, moved, offsetBetween, parseMetres} from './place';
import type {Pose} from './pose';
import {tiltAbout, turnAbout} from './turns';

const minRangeM = 80_000;
// How much farther the ground is drawn for each metre of the camera's height.
const rangePerHeight = 45;
const maxRangeTiles = 4;
// The flattest ray along which ground is dragged: at the horizon a pixel is a kilometre.
const flattestDrag = 0.06;
const minDropM = 2;

// Returns the place, which must be on a plane.
function onPlane(place: Place): PlanePlace {
  if (isOnPlanet(place)) throw new Error('the position is on a planet, but the world is a plane');
  return place;
}

export class PlaneDatum implements Datum {
  readonly highestM = 2_000_000;
  readonly lowestPitchDeg = -89;
  readonly lowestSunDeg = 2;
  private readonly sideM: number;

  constructor(private readonly cellSizeM: number, private readonly levels: number) {
    this.sideM = cellSizeM * tileCells;
  }

  highestPitchDeg(): number {
    return 60;
  }

  gridAbout({place}: Pose): Grid {
    const {tileX, tileY} = onPlane(place);
    return {cellSizeM: this.cellSizeM, levels: this.levels, originX: tileX, originY: tileY};
  }

  eyeOf({place, heightM}: Pose): Vector {
    const {eastM, southM} = onPlane(place);
    return {x: eastM, y: southM, z: heightM};
  }

  pointOver(place: Place, heightM: number, about: Pose): Vector {
    const origin = onPlane(about.place);
    const offset = offsetBetween(origin, onPlane(place), this.sideM);
    return {x: origin.eastM + offset.eastM, y: origin.southM + offset.southM, z: heightM};
  }

  placeUnder(point: Vector, about: Pose): Place {
    const origin = onPlane(about.place);
    return moved(origin, point.x - origin.eastM, point.y - origin.southM, this.sideM);
  }

  toSpace(_: Pose, direction: Vector): Vector {
    return direction;
  }

  toEye(_: Pose, direction: Vector): Vector {
    return direction;
  }

  seenFrom(point: Vector, before: Pose, after: Pose): Vector {
    const {eastM, southM} = offsetBetween(onPlane(after.place), onPlane(before.place), this.sideM);
    return {x: point.x + eastM, y: point.y + southM, z: point.z + before.heightM - after.heightM};
  }

  onLevel(_: Pose, ray: Vector, grip: Vector): Vector {
    const drop = Math.min(grip.z, -minDropM);
    const fall = Math.min(ray.z, -flattestDrag);
    return {x: ray.x * drop / fall, y: ray.y * drop / fall, z: drop};
  }

  inDistance(pose: Pose, ray: Vector, clearanceM: number): Vector {
    return scale(Math.min(10 * clearanceM, this.rangeM(pose.heightM, clearanceM)), ray);
  }

  moved(pose: Pose, step: Vector): Pose {
    return {
      ...pose,
      place: moved(onPlane(pose.place), step.x, step.y, this.sideM),
      heightM: pose.heightM + step.z,
    };
  }

  approached(pose: Pose, point: Vector, share: number): Pose {
    return this.moved(pose, {x: point.x * share, y: point.y * share, z: point.z * share});
  }

  orbited(pose: Pose, pivot: Vector, headingDeg: number, pitchDeg: number): Pose {
    const turned = turnAbout(tiltAbout(pivot, pose.headingDeg, pitchDeg), headingDeg);
    const there = this.moved(
      pose, {x: pivot.x - turned.x, y: pivot.y - turned.y, z: pivot.z - turned.z});
    return {
      ...there, headingDeg: pose.headingDeg + headingDeg, pitchDeg: pose.pitchDeg + pitchDeg,
    };
  }

  dragged(pose: Pose, from: Vector, to: Vector): Pose {
    return this.moved(pose, {x: from.x - to.x, y: from.y - to.y, z: 0});
  }

  between(from: Place, to: Place, share: number): Place {
    const {eastM, southM} = offsetBetween(onPlane(from), onPlane(to), this.sideM);
    return moved(onPlane(from), eastM * share, southM * share, this.sideM);
  }

  distanceM(from: Place, to: Place): number {
    const {eastM, southM} = offsetBetween(onPlane(from), onPlane(to), this.sideM);
    return Math.hypot(eastM, southM);
  }

  rangeM(_: number, clearanceM: number): number {
    return Math.min(Math.max(minRangeM, rangePerHeight * clearanceM), maxRangeTiles * this.sideM);
  }

  farthestM(heightM: number, rangeM: number): number {
    return 1.6 * rangeM + 10 * Math.abs(heightM) + 10_000;
  }

  linkOf(place: Place): readonly (readonly [string, string])[] {
    const {tileX, tileY, eastM, southM} = onPlane(place);
    return [
      ['east', metresText(tileX, eastM, this.sideM)],
      ['south', metresText(tileY, southM, this.sideM)],
    ];
  }

  fromLink(fields: URLSearchParams): Place | undefined {
    const east = parseMetres(fields.get('east') ?? '', this.sideM);
    const south = parseMetres(fields.get('south') ?? '', this.sideM);
    if (!east || !south) return undefined;
    return {tileX: east.tile, tileY: south.tile, eastM: east.offsetM, southM: south.offsetM};
  }

  textOf(place: Place): string {
    const {tileX, tileY, eastM, southM} = onPlane(place);
    const text = (tile: number, offsetM: number): string =>
      grouped(metresText(tile, Math.round(offsetM), this.sideM));
    return `E ${text(tileX, eastM)} · S ${text(tileY, southM)}`;
  }
}

// Groups a whole number's digits in threes.
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
