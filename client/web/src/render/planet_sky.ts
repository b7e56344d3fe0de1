// The sky around a planet: air, sun and stars, and the values that all its tiles share.
import {BufferGeometry, GLSL3, Matrix3, Matrix4, Mesh, ShaderMaterial, Vector3, Vector4} from 'three';
import {Air} from './air';
import dither from './dither.glsl?raw';
import planetAir from './planet_air.glsl?raw';
import planetSky from './planet_sky.glsl?raw';
import skyVertex from './sky_vertex.glsl?raw';
import type {Uniforms} from './tile_shape';

// From far away the air is thinner than a pixel. So the air's scale height grows by this many metres for each metre
// of the eye's height.
const seenAirPerM = 0.0035;
// The brightness of scattered light to eyes used to a sunlit land: near the ground, and from outside against black.
const gainInside = 6.5;
const gainOutside = 0.8;
// From outside, air hides less than single scattering says, because light that is scattered again comes back.
const veilOutside = 0.35;
// The depth below the datum of a ball that stands in for unknown ground, in radii.
const unknownDepth = 0.003;

// The view of a planet.
export interface PlanetView {
  readonly radiusM: number;
  readonly heightM: number;
  readonly lowestM: number | undefined;
  // The axes of the picture in space: east, up and south.
  readonly toSpace: readonly number[];
}

export class PlanetSky {
  readonly mesh: Mesh;
  readonly uniforms: Uniforms;
  private air: Air | undefined;

  // `shared` holds the values that all tiles share; `screen` is one triangle over the whole picture.
  constructor(shared: Uniforms, screen: BufferGeometry, toDirection: Matrix4) {
    this.uniforms = {
      ...shared,
      profile: {value: [new Vector4(), new Vector4(), new Vector4()]},
      radiusM: {value: 1},
      eyeRadius: {value: 2},
      airScale: {value: 0},
      airGain: {value: gainInside},
      airVeil: {value: 1},
      gasDepth: {value: new Vector3()},
      dustDepth: {value: new Vector3()},
      sunlight: {value: new Vector3()},
      skyLight: {value: new Vector3()},
      ballRadius: {value: 1},
      toSpace: {value: new Matrix3()},
    };
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      uniforms: {...this.uniforms, toDirection: {value: toDirection}},
      vertexShader: skyVertex,
      fragmentShader: planetAir + dither + planetSky,
      depthWrite: false,
    });
    this.mesh = new Mesh(screen, material);
  }

  // Takes the air of a world.
  open(air: Air): void {
    this.air = air;
    for (const name of ['gasDepth', 'dustDepth', 'sunlight', 'skyLight'] as const) {
      (this.uniforms[name]!.value as Vector3).copy(air[name]);
    }
  }

  look({radiusM, heightM, lowestM, toSpace}: PlanetView): void {
    const {uniforms} = this;
    const set = (name: string, value: number): void => { uniforms[name]!.value = value; };
    const scaleHeightM = this.air?.scaleHeightM ?? 0;
    set('radiusM', radiusM);
    set('eyeRadius', 1 + heightM / radiusM);
    set('airScale', scaleHeightM > 0 ? radiusM / (scaleHeightM + seenAirPerM * Math.max(heightM, 0)) : 0);
    const inside = Math.exp(-Math.max(heightM, 0) / (6 * scaleHeightM + 1));
    set('airGain', gainOutside + (gainInside - gainOutside) * inside);
    set('airVeil', veilOutside + (1 - veilOutside) * inside);
    set('ballRadius', lowestM === undefined ? 1 - unknownDepth : 1 + lowestM / radiusM);
    (uniforms['toSpace']!.value as Matrix3).fromArray([...toSpace]);
  }
}
