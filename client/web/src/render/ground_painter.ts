// Draws tiles. Their meshes have the same shape; their textures differ.
import {
  BufferGeometry, ClampToEdgeWrapping, DataTexture, FloatType, GLSL3, HalfFloatType, LinearFilter, Mesh,
  NearestFilter, RGBAFormat, RedFormat, Scene, ShaderMaterial, WebGLRenderer,
} from 'three';
import type {LayerName} from '../codec/layers';
import {strides} from '../codec/surface';
import {cellSizeM} from '../lod/grid';
import type {Sight, Surface} from '../lod/surface';
import {TileKey, childrenOf, nameOf, parentOf, tileVertices} from '../lod/tile_key';
import type {Terrain, Tile, TilePainter} from '../terrain/terrain';
import detailNoise from './detail_noise.glsl?raw';
import groundFragment from './ground_fragment.glsl?raw';
import {groundGeometry} from './ground_geometry';
import materialsFragment from './materials.glsl?raw';
import {looksOfAll} from './materials';
import type {Placing, TileShape, Uniforms} from './tile_shape';
import tone from './tone.glsl?raw';

interface Painted {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly textures: DataTexture[];
  readonly overlays: Map<LayerName, DataTexture>;
}

export class GroundPainter implements TilePainter {
  // The step between a mesh's vertices, in vertices of the tile: 1, 2, 4 or 8.
  stride = 2;
  // Turned off only in tests.
  skirts = true;
  private readonly painted = new Map<string, Painted>();
  private readonly geometries = new Map<number, BufferGeometry>();
  private drawn: TileKey[] = [];
  private overlay: LayerName | undefined;

  constructor(
    private readonly renderer: WebGLRenderer, private readonly scene: Scene,
    // The shape of tiles that are uploaded from now on.
    public shape: TileShape) {}

  upload(tile: Tile): void {
    const heights = texture(tile.surface.heights, RedFormat, FloatType);
    heights.magFilter = heights.minFilter = NearestFilter;
    const shading = texture(tile.surface.shading, RGBAFormat, HalfFloatType);
    const {parts, minHeight} = tile.surface;
    const cover = tile.surface.cover && texture(tile.surface.cover, RGBAFormat);
    const weights = parts && texture(parts.weights, RGBAFormat);
    const textures = [heights, shading, cover, weights].filter((image) => image !== undefined);
    for (const image of textures) this.renderer.initTexture(image);
    const uniforms: Uniforms = {
      ...this.shape.shared,
      ...this.shape.uniformsOf(tile.key, minHeight / 65536),
      heights: {value: heights},
      shading: {value: shading},
      cover: {value: cover ?? null},
      ...(parts && {parts: {value: weights}, materials: {value: looksOfAll(parts.classes)}}),
      overlay: {value: null},
      hasOverlay: {value: false},
      cell: {value: 1},
      log2Cell: {value: 0},
      skirt: {value: 0},
    };
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      uniforms,
      vertexShader: this.shape.vertexShader,
      fragmentShader: this.shape.fragmentShader + tone + (parts ? detailNoise + materialsFragment : '') + groundFragment,
      ...(parts && {defines: {NEAR: ''}}),
      // Skirts are visible from both sides.
      side: 2,
    });
    const mesh = new Mesh(this.geometry(), material);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    this.painted.set(tile.name, {mesh, textures, overlays: new Map()});
  }

  addOverlay(tile: Tile, layer: LayerName): void {
    const painted = this.painted.get(tile.name);
    const values = tile.overlays.get(layer);
    if (!painted || !values) return;
    const image = texture(values, RedFormat);
    painted.textures.push(image);
    painted.overlays.set(layer, image);
    this.applyOverlay(painted);
  }

  // Which layer lies over the ground.
  showOverlay(layer: LayerName | undefined): void {
    this.overlay = layer;
    for (const painted of this.painted.values()) this.applyOverlay(painted);
  }

  forget(tile: Tile): void {
    const painted = this.painted.get(tile.name);
    if (!painted) return;
    this.scene.remove(painted.mesh);
    painted.mesh.material.dispose();
    for (const image of painted.textures) image.dispose();
    this.painted.delete(tile.name);
  }

  // Replaces the set that is drawn.
  show(terrain: Terrain, surface: Surface): void {
    const {grid} = surface;
    for (const key of this.drawn) {
      const painted = this.painted.get(nameOf(key));
      if (painted) this.scene.remove(painted.mesh);
    }
    this.drawn = [...terrain.drawable.tiles];
    const names = new Set(this.drawn.map(nameOf));
    for (const key of this.drawn) {
      const painted = this.painted.get(nameOf(key));
      if (!painted) continue;
      const {uniforms} = painted.mesh.material;
      painted.mesh.geometry = this.geometry();
      uniforms['cell']!.value = cellSizeM(grid, key.level);
      uniforms['log2Cell']!.value = Math.log2(cellSizeM(grid, key.level));
      uniforms['skirt']!.value = this.skirts ? this.skirtM(terrain, key, names, surface) : 0;
      this.scene.add(painted.mesh);
    }
  }

  // Returns how far a border can be from its neighbour's: both meshes leave out vertices, the finer of two levels
  // differs from its parent, and water may stand on one side only.
  private skirtM(terrain: Terrain, key: TileKey, drawn: Set<string>, surface: Surface): number {
    const n = strides.indexOf(this.stride as typeof strides[number]);
    const own = terrain.tile(nameOf(key))!.surface;
    let beyond = 0;
    for (const touching of surface.touchingOf(key)) {
      const coarser = key.level > 0 ? [parentOf(touching)] : [];
      for (const other of [touching, ...coarser, ...childrenOf(touching)]) {
        const name = nameOf(other);
        const ground = drawn.has(name) ? terrain.tile(name)?.surface : undefined;
        if (!ground) continue;
        const finer = other.level > key.level ? ground : own;
        const strayed = other.level === key.level ? 0 : finer.geometricError / 65536;
        beyond = Math.max(beyond, strayed + ground.borderErrorM[n]! + ground.borderDepthM);
      }
    }
    // Heights are rounded by level, to 1/64 of a cell. A coarser neighbour's cells are twice as long.
    const cellM = cellSizeM(surface.grid, key.level);
    return own.borderErrorM[n]! + own.borderDepthM + beyond + 0.04 * cellM +
      this.shape.sagM(2 * this.stride * cellM);
  }

  // Places the tiles around the eye and hides invisible ones. Returns how many are shown.
  place(terrain: Terrain, placing: Placing, sightOf: (key: TileKey, tile: Tile) => Sight): number {
    let shown = 0;
    for (const key of this.drawn) {
      const name = nameOf(key);
      const painted = this.painted.get(name);
      const tile = terrain.tile(name);
      if (!painted || !tile) continue;
      const {mayShow, horizontalM} = sightOf(key, tile);
      painted.mesh.visible = mayShow;
      if (!mayShow) continue;
      ++shown;
      // Near tiles first, so that pixels behind them are not computed.
      painted.mesh.renderOrder = horizontalM;
      this.shape.place(painted.mesh.material.uniforms, key, placing);
    }
    return shown;
  }

  private geometry(): BufferGeometry {
    let geometry = this.geometries.get(this.stride);
    if (!geometry) {
      geometry = groundGeometry(this.stride);
      this.geometries.set(this.stride, geometry);
    }
    return geometry;
  }

  private applyOverlay(painted: Painted): void {
    const image = this.overlay && painted.overlays.get(this.overlay);
    const {uniforms} = painted.mesh.material;
    uniforms['overlay']!.value = image ?? null;
    uniforms['hasOverlay']!.value = image !== undefined;
  }
}

function texture(
  values: Float32Array | Uint16Array | Uint8Array, format: typeof RedFormat | typeof RGBAFormat,
  type?: typeof FloatType | typeof HalfFloatType): DataTexture {
  const image = new DataTexture(
    values as Uint8Array<ArrayBuffer>, tileVertices, tileVertices, format, type);
  image.magFilter = image.minFilter = LinearFilter;
  image.wrapS = image.wrapT = ClampToEdgeWrapping;
  image.unpackAlignment = 1;
  image.needsUpdate = true;
  return image;
}
