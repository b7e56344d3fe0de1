// How tiles of a plane are drawn and placed.
import {Vector3, Vector4} from 'three';
import {cornerOf} from '../lod/tile_box';
import type {TileKey} from '../lod/tile_key';
import type {Vector} from '../space/vector';
import dither from './dither.glsl?raw';
import {latticeFloorM, latticeOfTile, latticePerM} from './lattice';
import planeFragment from './plane_fragment.glsl?raw';
import planeVertex from './plane_vertex.glsl?raw';
import sky from './sky.glsl?raw';
import type {Placing, TileShape, Uniforms} from './tile_shape';

export class PlaneTiles implements TileShape {
  readonly vertexShader = sky + planeVertex;
  readonly fragmentShader = sky + dither + planeFragment;

  constructor(readonly shared: Uniforms, private readonly cellSizeM: number) {}

  uniformsOf(key: TileKey, lowestM: number): Uniforms {
    const baseM = latticeFloorM(this.cellSizeM, lowestM);
    const {cell, from} = latticeOfTile(this.cellSizeM, key, baseM);
    return {
      corner: {value: new Vector3()},
      baseM: {value: baseM},
      latticePerM: {value: latticePerM(this.cellSizeM)},
      latticeCell: {value: cell},
      latticeFrom: {value: from},
    };
  }

  place(uniforms: Uniforms, key: TileKey, {surface, eye}: Placing): void {
    const corner = cornerOf(surface.grid, key);
    (uniforms['corner']!.value as Vector3).set(corner.x - eye.x, -eye.z, corner.y - eye.y);
  }

  showLine(ends: readonly [Vector, Vector] | undefined, {eye}: Placing): void {
    const parts = ends?.flatMap(({x, y}) => [x - eye.x, y - eye.y]) ?? [0, 0, 0, 0];
    (this.shared['profile']!.value as Vector4).fromArray(parts);
  }

  sagM(): number {
    return 0;
  }
}
