// The shader materials of a tile: one for ground that is far away, and others for near ground, which have more detail the
// more of it may be visible, and waves where there is water.
import {GLSL3, Matrix4, ShaderMaterial} from 'three';
import detailNoise from './detail_noise.glsl?raw';
import groundFragment from './ground_fragment.glsl?raw';
import layers from './layers.glsl?raw';
import light from './light.glsl?raw';
import materialsFragment from './materials.glsl?raw';
import {looksOf} from './materials';
import mottle from './mottle.glsl?raw';
import streams from './streams.glsl?raw';
import type {TileShape, Uniforms} from './tile_shape';
import tone from './tone.glsl?raw';
import water from './water.glsl?raw';
import {waveConstants} from './waves';
import wavesFragment from './waves.glsl?raw';

// The sizes of noise that materials have; each is four times as fine as the one before.
export const octaveCount = 4;
// Noise fades out while a pixel grows from the first to the second number of its cells.
const fades = [0.22, 0.75] as const;

// Returns how many octaves may be visible where a pixel covers this many cells of the coarsest.
export function octavesSeen(cells: number): number {
  let count = 0;
  while (count < octaveCount && cells * 4 ** count < fades[1]) ++count;
  return count;
}

// The widths of small and large patches in cells of the lattice, as powers of 2.
const mottleShifts = [4, 7] as const;

// Whether patches of ground may be visible where a pixel covers this many cells of the lattice: see mottle.glsl.
export function seesMottle(cells: number): boolean {
  return cells < 0.55 * 2 ** mottleShifts[1];
}

// Returns the uniforms of materials.glsl for a tile's classes.
export function lookUniforms(classes: readonly number[]): Uniforms {
  return Object.fromEntries(
    Object.entries(looksOf(classes)).map(([name, matrix]) => [name, {value: new Matrix4().fromArray(matrix)}]));
}

// What a tile shows from where the eye is.
export interface Shown {
  // How many sizes of noise; 0 is far ground.
  readonly octaves: number;
  // Whether the ground is mottled.
  readonly mottled: boolean;
  // How many trains of waves its water has.
  readonly waves: number;
}

export const farGround: Shown = {octaves: 0, mottled: false, waves: 0};

export class GroundMaterials {
  private readonly made = new Map<string, ShaderMaterial>();

  constructor(readonly uniforms: Uniforms, private readonly shape: TileShape) {}

  showing(shown: Shown): ShaderMaterial {
    const name = Object.values(shown).join();
    const made = this.made.get(name) ?? this.make(shown);
    this.made.set(name, made);
    return made;
  }

  private make({octaves, mottled, waves}: Shown): ShaderMaterial {
    const {vertexShader, fragmentShader} = this.shape;
    const near = octaves > 0;
    const wavy = waves > 0;
    const detailed = near || mottled || wavy;
    const detail = (detailed ? detailNoise : '') + (near ? materialsFragment + streams : '') + (mottled ? mottle : '') +
      (wavy ? waveConstants(waves) + wavesFragment : '');
    return new ShaderMaterial({
      glslVersion: GLSL3,
      uniforms: this.uniforms,
      vertexShader,
      fragmentShader: fragmentShader + tone + layers + light + water + detail + groundFragment,
      defines: {
        ...(detailed && {DETAIL: ''}),
        ...(near && {OCTAVES: octaves, FADES: `vec2(${fades.join(', ')})`}),
        ...(mottled && {MOTTLED: `ivec2(${mottleShifts.join(', ')})`}),
        ...(wavy && {WAVES: ''}),
      },
      // Skirts are visible from both sides.
      side: 2,
    });
  }

  dispose(): void {
    for (const material of this.made.values()) material.dispose();
  }
}
