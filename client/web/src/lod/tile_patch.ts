// The space that a tile's ground takes on a planet, between four great circles and two radii: proto/geometry/surface.h.
import {FaceAxes, faces} from '../space/cube_faces';
import {toCube} from '../space/cube_sphere';
import {Vector, add, cross, dot, lengthOf, scale, subtract, unit} from '../space/vector';
import type {Ball} from './frustum';
import type {TileKey} from './tile_key';

// Returns the chord to the nearest direction among those from a to b.
function chordToEdge(direction: Vector, a: Vector, b: Vector): number {
  const normal = cross(a, b);
  if (dot(cross(normal, a), direction) > 0 && dot(cross(b, normal), direction) > 0) {
    const nearest = subtract(direction, scale(dot(direction, normal) / dot(normal, normal), normal));
    return lengthOf(subtract(direction, unit(nearest)));
  }
  return Math.min(lengthOf(subtract(direction, unit(a))), lengthOf(subtract(direction, unit(b))));
}

// A tile's part of the unit sphere.
export class TilePatch {
  private readonly axes: FaceAxes;
  // The tile's sides on the cube's face, from -1 to 1.
  private readonly west: number;
  private readonly east: number;
  private readonly north: number;
  private readonly south: number;

  constructor(key: TileKey) {
    this.axes = faces[key.face]!;
    const onCube = (tile: number): number => toCube(tile * 2 ** -key.level);
    this.west = onCube(key.x);
    this.east = onCube(key.x + 1);
    this.north = onCube(key.y);
    this.south = onCube(key.y + 1);
  }

  // The chord's length from a direction of length 1 to the nearest one of the patch; 0 inside.
  chordTo(direction: Vector): number {
    const {axes, west, east, north, south} = this;
    // In coordinates of the face: x along its middle, y and z along its own x and y.
    const d = {x: dot(axes.middle, direction), y: dot(axes.x, direction), z: dot(axes.y, direction)};
    const inside = d.x > 0 && d.y >= west * d.x && d.y <= east * d.x && d.z >= north * d.x &&
      d.z <= south * d.x;
    if (inside) return 0;
    const northWest = {x: 1, y: west, z: north};
    const northEast = {x: 1, y: east, z: north};
    const southEast = {x: 1, y: east, z: south};
    const southWest = {x: 1, y: west, z: south};
    return Math.min(
      chordToEdge(d, northWest, northEast), chordToEdge(d, northEast, southEast),
      chordToEdge(d, southEast, southWest), chordToEdge(d, southWest, northWest));
  }

  // A ball around the space over the patch between two radii of 0 or more, in metres.
  ballAround(minRadiusM: number, maxRadiusM: number): Ball {
    const {axes, west, east, north, south} = this;
    const middle = unit({x: 1, y: 0.5 * (west + east), z: 0.5 * (north + south)});
    // The point of the patch that is farthest from its middle is a corner.
    let chord = 0;
    for (const y of [west, east]) {
      for (const z of [north, south]) {
        chord = Math.max(chord, lengthOf(subtract(unit({x: 1, y, z}), middle)));
      }
    }
    // Along the middle's direction a corner is shorter than its radius by half the chord's square.
    const drop = 0.5 * chord * chord;
    const aside = chord * Math.sqrt(1 - 0.25 * chord * chord);
    const along = 0.5 * (minRadiusM * (1 - drop) + maxRadiusM);
    const distance = (radiusM: number): number =>
      Math.hypot(radiusM - along - radiusM * drop, radiusM * aside);
    const direction = add(
      scale(middle.x, axes.middle), add(scale(middle.y, axes.x), scale(middle.z, axes.y)));
    return {
      middle: scale(along, direction),
      radiusM: Math.max(
        distance(minRadiusM), distance(maxRadiusM), maxRadiusM - along, along - minRadiusM),
    };
  }
}
