// A planet. Space has its origin in its middle: z to the north pole, x to latitude and longitude 0. A place is
// latitude and longitude, which are exact to a few nanometres as doubles.
// The camera never rolls. To move over the ground, it turns about the planet's middle: its height and pitch stay, and
// its heading turns with it as a direction in space. So nothing jumps near the poles.
import type {Grid} from '../lod/grid';
import {LatLong, latLongOf, pointAt} from '../space/cube_sphere';
import {Vector, add, cross, dot, lengthOf, scale, subtract, unit} from '../space/vector';
import type {Datum} from './datum';
import {directionOf} from './direction';
import {Place, isOnPlanet} from './place';
import type {Pose} from './pose';
import {Turn, radians, turnFrom, turnOn} from './turns';

// How far from a planet's middle a camera may be, in radii of the planet.
const highestRadii = 12;
// Higher ground than this is hardly ever visible over the horizon.
const highestGroundM = 9000;
// The sine of the flattest angle between a ray and ground that is dragged or approached: at the limb a pixel is a
// thousand kilometres.
const flattest = 0.06;
const minDropM = 2;
const nearlyZero = 1e-9;

function smoothstep(from: number, to: number, value: number): number {
  const part = Math.min(Math.max((value - from) / (to - from), 0), 1);
  return part * part * (3 - 2 * part);
}

// Returns the place, which must be on a planet.
function onPlanet(place: Place): LatLong {
  if (!isOnPlanet(place)) throw new Error('the position is on a plane, but the world is a planet');
  return place;
}

interface Compass {
  readonly east: Vector;
  readonly north: Vector;
  readonly up: Vector;
}

function compassAt(place: Place): Compass {
  const {latitudeDeg, longitudeDeg} = onPlanet(place);
  const up = pointAt({latitudeDeg, longitudeDeg});
  // Computed from the place, not from the point, so that it is defined at the poles too.
  const north = pointAt({latitudeDeg: latitudeDeg + 90, longitudeDeg});
  return {east: cross(north, up), north, up};
}

export class PlanetDatum implements Datum {
  readonly highestM: number;
  readonly lowestPitchDeg = -90;
  readonly lowestSunDeg = -90;

  constructor(
    private readonly cellSizeM: number, private readonly levels: number, readonly radiusM: number) {
    this.highestM = (highestRadii - 1) * radiusM;
  }

  // Near the ground as on a plane. The higher the camera, the less it may look beyond the horizon. When the whole
  // planet fits into the picture, it is centred.
  highestPitchDeg(heightM: number): number {
    const {radiusM} = this;
    const seenDeg = Math.asin(Math.min(radiusM / (radiusM + Math.max(heightM, 0)), 1)) / radians;
    return -90 + seenDeg * smoothstep(10, 40, seenDeg) + 60 * smoothstep(45, 88, seenDeg);
  }

  gridAbout(): Grid {
    return {cellSizeM: this.cellSizeM, levels: this.levels, originX: 0, originY: 0, radiusM: this.radiusM};
  }

  eyeOf({place, heightM}: Pose): Vector {
    return this.pointOver(place, heightM);
  }

  pointOver(place: Place, heightM: number): Vector {
    return scale(this.radiusM + heightM, pointAt(onPlanet(place)));
  }

  placeUnder(point: Vector): Place {
    return latLongOf(point);
  }

  toSpace({place}: Pose, {x, y, z}: Vector): Vector {
    const {east, north, up} = compassAt(place);
    return add(add(scale(x, east), scale(-y, north)), scale(z, up));
  }

  toEye({place}: Pose, vector: Vector): Vector {
    const {east, north, up} = compassAt(place);
    return {x: dot(vector, east), y: -dot(vector, north), z: dot(vector, up)};
  }

  seenFrom(point: Vector, before: Pose, after: Pose): Vector {
    return this.toEye(after, subtract(this.at(before, point), this.eyeOf(after)));
  }

  // Returns a point given from the eye, in space.
  private at(pose: Pose, point: Vector): Vector {
    return add(this.eyeOf(pose), this.toSpace(pose, point));
  }

  // Solves the triangle of the planet's middle, the eye and the point.
  onLevel(pose: Pose, ray: Vector, grip: Vector): Vector {
    const eyeM = this.radiusM + pose.heightM;
    const levelM = Math.min(lengthOf(this.at(pose, grip)), eyeM - minDropM);
    const level = Math.hypot(ray.x, ray.y);
    const flat = Math.sqrt(1 - flattest * flattest) * levelM / eyeM;
    const sin = Math.min(ray.z < 0 ? level : 1, flat);
    const cos = Math.sqrt(1 - sin * sin);
    const distance = eyeM * cos - Math.sqrt(levelM * levelM - eyeM * eyeM * sin * sin);
    const aside = level > nearlyZero ? distance * sin / level : 0;
    return {x: aside * ray.x, y: aside * ray.y, z: -distance * cos};
  }

  inDistance(pose: Pose, ray: Vector, clearanceM: number): Vector {
    return this.onLevel(pose, ray, {x: 0, y: 0, z: -clearanceM});
  }

  // Returns the pose turned about the planet's middle.
  private turned(pose: Pose, turn: Turn): Pose {
    const place = latLongOf(turn(pointAt(onPlanet(pose.place))));
    const ahead = turn(this.toSpace(pose, directionOf(pose.headingDeg, 0)));
    return {...pose, place, headingDeg: headingOf(place, ahead)};
  }

  // Returns the pose moved over the ground by an angle, towards a point given from the eye.
  private turnedTowards(pose: Pose, point: Vector, angle: number): Pose {
    const level = Math.hypot(point.x, point.y);
    if (level < nearlyZero) return pose;
    const towards = this.toSpace(pose, {x: point.x / level, y: point.y / level, z: 0});
    return this.turned(pose, turnOn(cross(pointAt(onPlanet(pose.place)), towards), angle));
  }

  moved(pose: Pose, step: Vector): Pose {
    const angle = Math.hypot(step.x, step.y) / (this.radiusM + pose.heightM);
    return {...this.turnedTowards(pose, step, angle), heightM: pose.heightM + step.z};
  }

  // The direction from the eye to the point does not change.
  approached(pose: Pose, point: Vector, share: number): Pose {
    const distance = lengthOf(point);
    const pointM = lengthOf(this.at(pose, point));
    const sin = Math.hypot(point.x, point.y) / distance;
    // From farther away the point would be behind the limb.
    const farthest = Math.max(distance, Math.sqrt(1 - flattest * flattest) * pointM / Math.max(sin, nearlyZero));
    const after = Math.min((1 - share) * distance, farthest);
    const angleAt = (length: number): number => Math.asin(Math.min(length * sin / pointM, 1));
    const there = this.turnedTowards(pose, point, angleAt(distance) - angleAt(after));
    const aside = after * sin;
    const eyeM = -point.z / distance * after + Math.sqrt(Math.max(pointM * pointM - aside * aside, 0));
    // Beyond that distance the camera goes straight up.
    return {...there, heightM: eyeM - this.radiusM + (1 - share) * distance - after};
  }

  orbited(pose: Pose, pivot: Vector, headingDeg: number, pitchDeg: number): Pose {
    const tilted = this.tilted(pose, pivot, pitchDeg);
    const axis = unit(this.at(pose, pivot));
    return this.turned(tilted, turnOn(axis, -headingDeg * radians));
  }

  // Returns the pose tilted about a horizontal axis through the pivot.
  private tilted(pose: Pose, pivot: Vector, degrees: number): Pose {
    const toSpace = (heading: number, pitch: number): Vector =>
      this.toSpace(pose, directionOf(heading, pitch));
    const turn = turnOn(toSpace(pose.headingDeg + 90, 0), degrees * radians);
    const fromPivot = turn(scale(-1, this.toSpace(pose, pivot)));
    const eye = add(this.at(pose, pivot), fromPivot);
    const place = latLongOf(eye);
    const up = unit(eye);
    const level = turn(toSpace(pose.headingDeg, 0));
    const ahead = unit(subtract(level, scale(dot(level, up), up)));
    const forward = turn(toSpace(pose.headingDeg, pose.pitchDeg));
    return {
      place,
      heightM: lengthOf(eye) - this.radiusM,
      headingDeg: headingOf(place, ahead),
      // The camera may turn past straight down.
      pitchDeg: Math.atan2(dot(forward, up), dot(forward, ahead)) / radians,
    };
  }

  dragged(pose: Pose, from: Vector, to: Vector): Pose {
    return this.turned(pose, turnFrom(unit(this.at(pose, to)), unit(this.at(pose, from))));
  }

  // Along a great circle.
  between(from: Place, to: Place, share: number): Place {
    const a = pointAt(onPlanet(from));
    const b = pointAt(onPlanet(to));
    const axis = cross(a, b);
    const sin = lengthOf(axis);
    if (sin < nearlyZero * nearlyZero) return from;
    return latLongOf(turnOn(scale(1 / sin, axis), share * Math.atan2(sin, dot(a, b)))(a));
  }

  distanceM(from: Place, to: Place): number {
    const a = pointAt(onPlanet(from));
    const b = pointAt(onPlanet(to));
    return this.radiusM * Math.atan2(lengthOf(cross(a, b)), dot(a, b));
  }

  // The range to the horizon, and beyond it to where the highest ground is visible.
  rangeM(heightM: number): number {
    const beyond = (h: number): number => Math.sqrt(h * (2 * this.radiusM + h));
    return beyond(Math.max(heightM, 0)) + beyond(highestGroundM);
  }

  // Ground below the datum has a horizon that is farther away.
  farthestM(_: number, rangeM: number): number {
    return 1.2 * rangeM + 200_000;
  }

  linkOf(place: Place): readonly (readonly [string, string])[] {
    const {latitudeDeg, longitudeDeg} = onPlanet(place);
    // Exact to a millimetre.
    const text = (degrees: number): string => String(Number(degrees.toFixed(8)));
    return [['lat', text(latitudeDeg)], ['lon', text(longitudeDeg)]];
  }

  fromLink(fields: URLSearchParams): Place | undefined {
    const [latitudeDeg, longitudeDeg] = [degreesOf(fields.get('lat')), degreesOf(fields.get('lon'))];
    if (latitudeDeg === undefined || longitudeDeg === undefined) return undefined;
    return {latitudeDeg: Math.min(Math.max(latitudeDeg, -90), 90), longitudeDeg};
  }

  textOf(place: Place): string {
    const {latitudeDeg, longitudeDeg} = onPlanet(place);
    // Exact to about a metre.
    const text = (degrees: number, [positive, negative]: string): string =>
      `${Math.abs(degrees).toFixed(5)}° ${degrees < 0 ? negative : positive}`;
    return `${text(latitudeDeg, 'NS')} · ${text(longitudeDeg, 'EW')}`;
  }
}

function headingOf(place: Place, ahead: Vector): number {
  const {east, north} = compassAt(place);
  return Math.atan2(dot(ahead, east), dot(ahead, north)) / radians;
}

function degreesOf(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) <= 360 ? value : undefined;
}
