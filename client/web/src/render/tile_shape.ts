// What is not the same for tiles on a plane and on a planet when they are drawn: their shaders and where they stand.
import type {IUniform} from 'three';
import type {Surface} from '../lod/surface';
import type {TileKey} from '../lod/tile_key';
import type {Vector} from '../space/vector';

export type Uniforms = Record<string, IUniform>;

// From what the world's tiles are measured in to the picture's east, up and south of the eye.
export interface Placing {
  readonly surface: Surface;
  readonly eye: Vector;
  toPicture(direction: Vector): readonly [number, number, number];
}

export interface TileShape {
  readonly vertexShader: string;
  readonly fragmentShader: string;
  // Of every world's tiles of that shape.
  readonly shared: Uniforms;
  // Of one tile.
  uniformsOf(key: TileKey): Uniforms;
  place(uniforms: Uniforms, key: TileKey, placing: Placing): void;
  // Draws a line on the ground between two points, or none.
  showLine(ends: readonly [Vector, Vector] | undefined, placing: Placing): void;
  // How far a straight side of a mesh with so long cells is under the surface at most, in metres.
  sagM(cellM: number): number;
}
