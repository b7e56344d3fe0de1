// The means for drawing: a WebGL renderer, a camera, the sky, and the values that all tiles share.
import {
  BufferAttribute, BufferGeometry, DataTexture, GLSL3, LinearFilter, MathUtils, Matrix4, Mesh, PerspectiveCamera, Scene,
  ShaderMaterial, Vector2, Vector3, Vector4, WebGLRenderer,
} from 'three';
import {Pose, verticalFovDeg} from '../datum/pose';
import {LayerId, layerIds} from '../state/view_state';
import type {WorldSpec} from '../terrain/world';
import dither from './dither.glsl?raw';
import {PlanetSky} from './planet_sky';
import {catchmentScaleOf, lowestWithoutSeaM, rampPixels, rampRows, rampWidth} from './ramps';
import sky from './sky.glsl?raw';
import skyFragment from './sky_fragment.glsl?raw';
import skyVertex from './sky_vertex.glsl?raw';
import type {Uniforms} from './tile_shape';

const radians = Math.PI / 180;

// Colours for a low and for a high sun.
const lights: Readonly<Record<string, readonly [Vector3, Vector3]>> = {
  horizonColor: [new Vector3(0.90, 0.76, 0.66), new Vector3(0.80, 0.86, 0.91)],
  zenithColor: [new Vector3(0.30, 0.38, 0.56), new Vector3(0.30, 0.50, 0.77)],
  sunColor: [new Vector3(1.10, 0.74, 0.48), new Vector3(0.98, 0.93, 0.83)],
  skyLight: [new Vector3(0.34, 0.36, 0.46), new Vector3(0.40, 0.45, 0.54)],
};

function rampTexture(): DataTexture {
  const ramps = new DataTexture(
    rampPixels() as Uint8Array<ArrayBuffer>, rampWidth, rampRows.length);
  ramps.magFilter = ramps.minFilter = LinearFilter;
  ramps.needsUpdate = true;
  return ramps;
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  // Always at the origin; the ground is placed around it. East is x, up is y, south is z.
  readonly camera = new PerspectiveCamera(verticalFovDeg, 1, 1, 100_000);
  readonly shared: Uniforms = {
    sun: {value: new Vector3(0, 1, 0)},
    horizonColor: {value: new Vector3()},
    zenithColor: {value: new Vector3()},
    sunColor: {value: new Vector3()},
    skyLight: {value: new Vector3()},
    levelLight: {value: new Vector3()},
    plainBackground: {value: new Vector4(0, 0, 0, 0)},
    ramps: {value: rampTexture()},
    layer: {value: 0},
    lowestM: {value: 0},
    catchments: {value: new Vector2(1, 1)},
    contourM: {value: 0},
    rangeM: {value: 60_000},
    // The size of a pixel at a distance of a metre.
    pixelAngle: {value: 1e-3},
    profile: {value: new Vector4(0, 0, 0, 0)},
  };
  readonly planet: PlanetSky;
  private readonly toDirection = new Matrix4();
  private readonly sky: Mesh;

  // Throws if the browser has no WebGL 2.
  constructor(readonly canvas: HTMLCanvasElement, antialias: boolean) {
    this.renderer = new WebGLRenderer({canvas, antialias, powerPreference: 'high-performance'});
    this.renderer.autoClear = false;
    const screen = new BufferGeometry();
    screen.setAttribute(
      'position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.sky = new Mesh(screen, new ShaderMaterial({
      glslVersion: GLSL3,
      uniforms: {...this.shared, toDirection: {value: this.toDirection}},
      vertexShader: skyVertex,
      fragmentShader: sky + dither + skyFragment,
      depthWrite: false,
    }));
    this.planet = new PlanetSky(this.shared, screen, this.toDirection);
    for (const mesh of [this.sky, this.planet.mesh]) {
      mesh.frustumCulled = false;
      // Drawn after the ground, so that only visible sky is computed.
      mesh.renderOrder = Infinity;
      this.scene.add(mesh);
    }
    this.showPlanet(false);
  }

  // Chooses the sky.
  showPlanet(isPlanet: boolean): void {
    this.sky.visible = !isPlanet;
    this.planet.mesh.visible = isPlanet;
  }

  resize(width: number, height: number, pixelRatio: number): void {
    this.renderer.setPixelRatio(pixelRatio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
  }

  look(pose: Pose, nearM: number, farM: number): void {
    this.camera.rotation.set(
      pose.pitchDeg * radians, -pose.headingDeg * radians, 0, 'YXZ');
    this.camera.near = nearM;
    this.camera.far = farM;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld(true);
    this.toDirection.copy(this.camera.matrixWorld)
      .multiply(this.camera.projectionMatrixInverse);
  }

  // Sets the light from the direction to the sun in the picture: east, up, south.
  light(east: number, up: number, south: number): void {
    const sun = this.vector('sun').set(east, up, south);
    const day = MathUtils.smoothstep(sun.y, 0.02, 0.45);
    for (const [name, [low, high]] of Object.entries(lights)) {
      this.vector(name).lerpVectors(low, high, day);
    }
    this.vector('levelLight').copy(this.vector('skyLight'))
      .addScaledVector(this.vector('sunColor'), sun.y);
  }

  private vector(name: string): Vector3 {
    return this.shared[name]!.value as Vector3;
  }

  showLayer(layer: LayerId, {sea_level_m: seaLevelM, sphere}: Partial<WorldSpec>): void {
    this.shared['layer']!.value = layerIds.indexOf(layer);
    this.shared['lowestM']!.value = seaLevelM ?? lowestWithoutSeaM;
    const {max, unit} = catchmentScaleOf(sphere !== undefined);
    (this.shared['catchments']!.value as Vector2).set(max, unit);
  }

  draw(): void {
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
  }
}
