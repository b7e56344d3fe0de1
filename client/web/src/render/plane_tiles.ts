// How tiles of a plane are drawn and placed.
import {Vector3, Vector4} from 'three';
import {cornerOf} from '../lod/tile_box';
import type {TileKey} from '../lod/tile_key';
import type {Vector} from '../space/vector';
import dither from './dither.glsl?raw';
import groundFragment from './ground_fragment.glsl?raw';
import planeFragment from './plane_fragment.glsl?raw';
import planeVertex from './plane_vertex.glsl?raw';
import sky from './sky.glsl?raw';
import type {Placing, TileShape, Uniforms} from './tile_shape';

export class PlaneTiles implements TileShape {
  readonly vertexShader = sky + planeVertex;
  readonly fragmentShader = sky + dither + planeFragment + groundFragment;

  constructor(readonly shared: Uniforms) {}

  uniformsOf(): Uniforms {
    return {corner: {value: new Vector3()}};
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
