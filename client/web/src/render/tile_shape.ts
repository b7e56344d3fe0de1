// The differences in drawing tiles on a plane and on a planet: their shaders and positions.
import type {IUniform} from 'three';
import type {Surface} from '../lod/surface';
import type {TileKey} from '../lod/tile_key';
import type {Vector} from '../space/vector';

export type Uniforms = Record<string, IUniform>;

// Converts the world's coordinates to the picture's east, up and south of the eye.
export interface Placing {
  readonly surface: Surface;
  readonly eye: Vector;
  toPicture(direction: Vector): readonly [number, number, number];
}

export interface TileShape {
  readonly vertexShader: string;
  // The beginning of the fragment shader; the ground's comes after it.
  readonly fragmentShader: string;
  // Uniforms that all tiles of this shape share.
  readonly shared: Uniforms;
  // Uniforms of one tile. `lowestM` is a height near the tile's ground.
  uniformsOf(key: TileKey, lowestM: number): Uniforms;
  place(uniforms: Uniforms, key: TileKey, placing: Placing): void;
  // Draws a line on the ground between two points, or none.
  showLine(ends: readonly [Vector, Vector] | undefined, placing: Placing): void;
  // Max distance of a mesh's straight side below the surface, for a length of cells, in metres.
  sagM(cellM: number): number;
}
