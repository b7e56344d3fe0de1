// Draws tiles. Their meshes have the same shape; their textures differ.
import {
  BufferGeometry, ClampToEdgeWrapping, DataTexture, FloatType, HalfFloatType, LinearFilter, Mesh, NearestFilter, RGBAFormat,
  RedFormat, Scene, ShaderMaterial, WebGLRenderer,
} from 'three';
import type {LayerName} from '../codec/layers';
import {Surface as TileSurface, strides} from '../codec/surface';
import {Grid, cellSizeM, tileSizeM} from '../lod/grid';
import type {Sight, Surface} from '../lod/surface';
import {TileKey, childrenOf, nameOf, parentOf, tileVertices} from '../lod/tile_key';
import {layerIds} from '../state/view_state';
import type {Terrain, Tile, TilePainter} from '../terrain/terrain';
import {nearestOf} from './full_meshes';
import {groundGeometry} from './ground_geometry';
import {GroundMaterials, Shown, farGround, lookUniforms, octaveCount, octavesSeen, seesMottle} from './ground_materials';
import type {Placing, TileShape, Uniforms} from './tile_shape';
import {seesWaves, trains} from './waves';

interface Painted {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly materials: GroundMaterials;
  readonly textures: DataTexture[];
  readonly overlays: Map<LayerName, DataTexture>;
  // Whether it has the weights of the cover's classes.
  readonly hasParts: boolean;
  readonly hasWater: boolean;
  readonly hasLand: boolean;
  // The stride of its mesh.
  stride: number;
}

// How finely the painter draws: see stats/detail.ts.
export interface Fineness {
  // The step between a mesh's vertices, in vertices of the tile; and that of the tiles nearest to the eye.
  readonly stride: number;
  readonly nearStride: number;
  // Max octaves of noise in the materials of near ground.
  readonly octaves: number;
  // How many trains of waves water has near the eye.
  readonly trains: number;
}

export class GroundPainter implements TilePainter {
  // How finely it draws; strides are 1, 2, 4 or 8.
  detail: Fineness = {stride: 2, nearStride: 2, octaves: octaveCount, trains: trains.length};
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
    const {parts, minHeight, hasWater, hasLand} = tile.surface;
    const cover = tile.surface.cover && texture(tile.surface.cover, RGBAFormat);
    const weights = parts && texture(parts.weights, RGBAFormat);
    const textures = [heights, shading, cover, weights].filter((image) => image !== undefined);
    for (const image of textures) {
      // The weights wait until the tile is near.
      if (image !== weights) this.renderer.initTexture(image);
    }
    const uniforms: Uniforms = {
      ...this.shape.shared,
      ...this.shape.uniformsOf(tile.key, minHeight / 65536),
      heights: {value: heights},
      shading: {value: shading},
      cover: {value: cover ?? null},
      ...(parts && {parts: {value: weights}, ...lookUniforms(parts.classes)}),
      overlay: {value: null},
      hasOverlay: {value: false},
      cell: {value: 1},
      log2Cell: {value: 0},
      skirt: {value: 0},
    };
    const materials = new GroundMaterials(uniforms, this.shape);
    const mesh = new Mesh(this.geometry(this.detail.stride), materials.showing(farGround));
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    this.painted.set(tile.name, {
      mesh, materials, textures, overlays: new Map(), hasParts: parts !== undefined, hasWater, hasLand,
      stride: this.detail.stride,
    });
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
    painted.materials.dispose();
    for (const image of painted.textures) image.dispose();
    this.painted.delete(tile.name);
  }

  // Replaces the set that is drawn. `distanceOf` returns how far a tile is from the eye, in metres.
  show(terrain: Terrain, surface: Surface, distanceOf: (key: TileKey, tile: Tile) => number): void {
    const {grid} = surface;
    for (const key of this.drawn) {
      const painted = this.painted.get(nameOf(key));
      if (painted) this.scene.remove(painted.mesh);
    }
    this.drawn = [...terrain.drawable.tiles];
    const names = new Set(this.drawn.map(nameOf));
    this.chooseStrides(terrain, grid, distanceOf);
    for (const key of this.drawn) {
      const painted = this.painted.get(nameOf(key));
      if (!painted) continue;
      const {uniforms} = painted.materials;
      painted.mesh.geometry = this.geometry(painted.stride);
      uniforms['cell']!.value = cellSizeM(grid, key.level);
      uniforms['log2Cell']!.value = Math.log2(cellSizeM(grid, key.level));
      uniforms['skirt']!.value = this.skirts ? this.skirtM(terrain, key, names, surface) : 0;
      this.scene.add(painted.mesh);
    }
  }

  // Returns the stride of a drawn tile's mesh.
  strideOf(name: string): number {
    return this.painted.get(name)?.stride ?? this.detail.stride;
  }

  private chooseStrides(terrain: Terrain, grid: Grid, distanceOf: (key: TileKey, tile: Tile) => number): void {
    const candidates = this.drawn.flatMap((key) => {
      const tile = terrain.tile(nameOf(key));
      return tile ? [{name: tile.name, sides: distanceOf(key, tile) / tileSizeM(grid, key.level)}] : [];
    });
    const near = nearestOf(candidates);
    for (const {name} of candidates) {
      const painted = this.painted.get(name);
      if (painted) painted.stride = near.has(name) ? this.detail.nearStride : this.detail.stride;
    }
  }

  // Returns how far a border can be from its neighbour's: both meshes leave out vertices, the finer of two levels
  // differs from its parent, and water may stand on one side only.
  private skirtM(terrain: Terrain, key: TileKey, drawn: Set<string>, surface: Surface): number {
    const own = terrain.tile(nameOf(key))!.surface;
    const borderErrorM = (of: string, ground: TileSurface): number => ground.borderErrorM[strideIndex(this.strideOf(of))]!;
    let beyond = 0;
    for (const touching of surface.touchingOf(key)) {
      const coarser = key.level > 0 ? [parentOf(touching)] : [];
      for (const other of [touching, ...coarser, ...childrenOf(touching)]) {
        const name = nameOf(other);
        const ground = drawn.has(name) ? terrain.tile(name)?.surface : undefined;
        if (!ground) continue;
        const finer = other.level > key.level ? ground : own;
        const strayed = other.level === key.level ? 0 : finer.geometricError / 65536;
        beyond = Math.max(beyond, strayed + borderErrorM(name, ground) + ground.borderDepthM);
      }
    }
    // Heights are rounded by level, to 1/64 of a cell. A coarser neighbour's cells are twice as long.
    const cellM = cellSizeM(surface.grid, key.level);
    return borderErrorM(nameOf(key), own) + own.borderDepthM + beyond + 0.04 * cellM +
      this.shape.sagM(2 * this.detail.stride * cellM);
  }

  // Places the tiles around the eye and hides invisible ones. Returns how many are shown.
  place(terrain: Terrain, placing: Placing, sightOf: (key: TileKey, tile: Tile) => Sight): number {
    let shown = 0;
    for (const key of this.drawn) {
      const name = nameOf(key);
      const painted = this.painted.get(name);
      const tile = terrain.tile(name);
      if (!painted || !tile) continue;
      const {mayShow, horizontalM, distanceM} = sightOf(key, tile);
      painted.mesh.visible = mayShow;
      if (!mayShow) continue;
      ++shown;
      // Near tiles first, so that pixels behind them are not computed.
      painted.mesh.renderOrder = horizontalM;
      painted.mesh.material = painted.materials.showing(this.shownOf(painted, distanceM));
      this.shape.place(painted.materials.uniforms, key, placing);
    }
    return shown;
  }

  // Only the satellite view has materials and waves: other layers' colours are legends.
  private shownOf({hasParts, hasWater, hasLand, materials: {uniforms}}: Painted, distanceM: number): Shown {
    if (uniforms['layer']!.value !== layerIds.indexOf('satellite')) return farGround;
    const pixelM = uniforms['pixelAngle']!.value * distanceM;
    const cells = pixelM * uniforms['latticePerM']!.value;
    return {
      octaves: hasParts ? Math.min(octavesSeen(cells), this.detail.octaves) : 0,
      mottled: hasLand && this.detail.octaves > 1 && seesMottle(cells),
      waves: hasWater && seesWaves(pixelM) ? this.detail.trains : 0,
    };
  }

  private geometry(stride: number): BufferGeometry {
    let geometry = this.geometries.get(stride);
    if (!geometry) {
      geometry = groundGeometry(stride);
      this.geometries.set(stride, geometry);
    }
    return geometry;
  }

  private applyOverlay(painted: Painted): void {
    const image = this.overlay && painted.overlays.get(this.overlay);
    const {uniforms} = painted.materials;
    uniforms['overlay']!.value = image ?? null;
    uniforms['hasOverlay']!.value = image !== undefined;
  }
}

function strideIndex(stride: number): number {
  return strides.indexOf(stride as typeof strides[number]);
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
