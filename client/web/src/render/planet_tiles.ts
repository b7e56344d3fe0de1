// How tiles of a planet are drawn and placed. A tile is placed by the middle of its square on the datum, in doubles.
// The shader places the vertices from there; its floats are exact enough for that: a 10,000,000th of a tile's side.
import {Matrix3, Vector2, Vector3, Vector4} from 'three';
import {tileCells, type TileKey} from '../lod/tile_key';
import {faces} from '../space/cube_faces';
import {pointOf, toCube} from '../space/cube_sphere';
import {Vector, cross, dot, lengthOf, scale, subtract, unit} from '../space/vector';
import dither from './dither.glsl?raw';
import {latticeOfPoint, latticePerM} from './lattice';
import planetAir from './planet_air.glsl?raw';
import planetFragment from './planet_fragment.glsl?raw';
import planetVertex from './planet_vertex.glsl?raw';
import type {Placing, TileShape, Uniforms} from './tile_shape';

// Returns the middle of a tile's square: on its face, 0 to 1, and on the unit sphere.
function middleOf({face, level, x, y}: TileKey): {s: number; t: number; up: Vector} {
  const [s, t] = [(x + 0.5) * 2 ** -level, (y + 0.5) * 2 ** -level];
  return {s, t, up: pointOf({face, x: s, y: t})};
}

// toCube about a place: 4/3 (2 a d + b d^2) after a step d. In the middle of a face b is the sign of the step.
function slopeAt(s: number): {a: number; b: number} {
  return {a: s >= 0.5 ? s : 1 - s, b: Math.sign(s - 0.5)};
}

export class PlanetTiles implements TileShape {
  readonly vertexShader = planetAir + planetVertex;
  readonly fragmentShader = planetAir + dither + planetFragment;

  constructor(
    readonly shared: Uniforms, private readonly radiusM: number, private readonly cellSizeM: number) {}

  uniformsOf(key: TileKey, lowestM: number): Uniforms {
    const {s, t, up} = middleOf(key);
    const {cell, from} = latticeOfPoint(this.cellSizeM, scale(this.radiusM + lowestM, up));
    const [x, y] = [slopeAt(s), slopeAt(t)];
    return {
      corner: {value: new Vector3()},
      axes: {value: new Matrix3()},
      steepness: {value: new Vector2(x.a, y.a)},
      bend: {value: new Vector2(x.b, y.b)},
      cubeLength: {value: Math.sqrt(1 + toCube(s) ** 2 + toCube(t) ** 2)},
      latticeStep: {value: 2 ** -key.level / tileCells},
      baseM: {value: lowestM},
      latticePerM: {value: latticePerM(this.cellSizeM)},
      latticeCell: {value: cell},
      latticeFrom: {value: from},
    };
  }

  place(uniforms: Uniforms, key: TileKey, {eye, toPicture}: Placing): void {
    const {up} = middleOf(key);
    const {x, y} = faces[key.face]!;
    (uniforms['corner']!.value as Vector3).set(...toPicture(subtract(scale(this.radiusM, up), eye)));
    (uniforms['axes']!.value as Matrix3)
      .fromArray([...toPicture(up), ...toPicture(x), ...toPicture(y)]);
  }

  showLine(ends: readonly [Vector, Vector] | undefined, {eye, toPicture}: Placing): void {
    const planes = this.shared['profile']!.value as Vector4[];
    const across = ends && cross(ends[0], ends[1]);
    if (!ends || !across || lengthOf(across) === 0) {
      for (const plane of planes) plane.set(0, 0, 0, 0);
      return;
    }
    const normal = unit(across);
    [normal, unit(cross(normal, ends[0])), unit(cross(ends[1], normal))].forEach(
      (plane, n) => planes[n]!.set(...toPicture(plane), dot(plane, eye)));
  }

  // Cells are at most a third longer than the mean.
  sagM(cellM: number): number {
    return (1.4 * cellM) ** 2 / (8 * this.radiusM);
  }
}
