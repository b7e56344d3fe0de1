// The viewer without its panels: a world, a camera over it and what is drawn of it.
import {Rig} from './camera/rig';
import {rayThrough, directionOf} from './camera/direction';
import {KeyDrive, Mode} from './camera/keys';
import {PointerDrive} from './camera/pointers';
import {DecodePool} from './codec/decode_pool';
import {boxOf, Frustum, Grid} from './lod/tile_box';
import {tileCells} from './lod/tile_key';
import {Vector, View} from './lod/view';
import {GroundPainter} from './render/ground_painter';
import {overlayScales} from './render/ramps';
import {Stage, verticalFovDeg} from './render/stage';
import {Place, moved} from './state/place';
import {startPose} from './state/start_pose';
import type {LayerId, Pose} from './state/view_state';
import {DetailControl, drawsInSoftware} from './stats/detail';
import {FrameTimes} from './stats/frame_times';
import {Ground, GroundPoint} from './terrain/ground';
import {Overlay, Terrain, Tile} from './terrain/terrain';
import type {World} from './terrain/world';

const leastBetweenChoicesMs = 80;
const leastRangeM = 80_000;
// So much farther the ground is drawn from a height of a metre more.
const rangePerHeight = 45;

// What of a view does not belong to the camera.
export interface Look {
  readonly layer: LayerId;
  readonly sunAzimuthDeg: number;
  readonly sunAltitudeDeg: number;
  readonly contours: number | 'auto';
}

// A point of the ground with its place.
export interface Picked extends GroundPoint {
  readonly place: Place;
}

export class Viewer {
  mode: Mode = 'orbit';
  // Called after frames in which something moved or changed.
  onFrame: () => void = () => undefined;
  onTap: (picked: Picked) => void = () => undefined;
  onHover: (picked: Picked | undefined) => void = () => undefined;
  // Called when a new world shows its first ground.
  onFirstGround: () => void = () => undefined;
  // Called when the server has no such tile of the world, or no such world any more.
  onMissing: (world: World) => void = () => undefined;
  readonly frames = new FrameTimes();
  readonly detail: DetailControl;
  readonly stage: Stage;
  readonly rig: Rig;
  tilesShown = 0;
  // The ends of the line on the ground.
  profile: readonly [Place, Place] | undefined;
  private readonly pool = new DecodePool();
  private readonly keys: KeyDrive;
  private readonly painter: GroundPainter;
  private current: {world: World; terrain: Terrain; ground: Ground} | undefined;
  private look: Look = {layer: 'satellite', sunAzimuthDeg: 315, sunAltitudeDeg: 38, contours: 0};
  private settling: {overGroundM: number; aheadM: number} | undefined;
  private dirty = true;
  private moved = true;
  private lastFrame = 0;
  private lastDrawn = 0;
  private lastChoice = -Infinity;
  private choiceMs = 0;
  private showsGround = false;

  // Throws where the browser has no WebGL 2.
  constructor(private readonly canvas: HTMLCanvasElement, fixedDetail: number | undefined) {
    const software = drawsInSoftware();
    // Four samples a pixel cost a GPU little, and a processor four times as much.
    this.stage = new Stage(canvas, !software);
    this.detail = new DetailControl(fixedDetail, software);
    this.painter = new GroundPainter(this.stage.renderer, this.stage.scene, this.stage.shared);
    this.rig = new Rig(
      {place: {tileX: 0, tileY: 0, eastM: 0, southM: 0}, heightM: 1000, headingDeg: 0, pitchDeg: -20}, 1);
    this.rig.onMove = () => { this.moved = true; };
    this.rig.groundUnder = (place) => this.surfaceAt(place);
    this.keys = new KeyDrive(canvas, () => this.wake());
    new PointerDrive({
      canvas, rig: this.rig, fovDeg: verticalFovDeg,
      mode: () => this.mode,
      groundAt: (x, y) => this.groundFromEye(x, y),
      onTap: (x, y) => { const picked = this.pick(x, y); if (picked) this.onTap(picked); },
      onHover: (x, y) => this.onHover(this.pick(x, y)),
    });
    for (const input of ['pointerdown', 'wheel', 'keydown']) {
      canvas.addEventListener(input, () => { this.settling = undefined; }, {capture: true});
    }
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    this.applyDetail();
    requestAnimationFrame((now) => this.frame(now));
  }

  get world(): World | undefined {
    return this.current?.world;
  }

  get terrain(): Terrain | undefined {
    return this.current?.terrain;
  }

  // Shows a world, from a pose or from where it is at its best. The old one's tiles are forgotten.
  open(world: World, pose: Pose | undefined): void {
    this.current?.terrain.dispose();
    const terrain = new Terrain(world, this.pool, this.painter, mostTilesInMemory());
    terrain.loader.onMissing = () => this.onMissing(world);
    const ground = new Ground(terrain, () => this.grid(), () => this.painter.stride);
    this.current = {world, terrain, ground};
    this.rig.sideM = world.spec.cell_size_m * tileCells;
    this.profile = undefined;
    this.showsGround = false;
    const start = startPose(world.spec);
    this.settling = pose ? undefined : start;
    this.rig.set(pose ?? start.pose);
    this.applyLook();
    this.lastChoice = -Infinity;
  }

  // Takes the camera somewhere else.
  jump(pose: Pose): void {
    this.settling = undefined;
    this.rig.set(pose);
  }

  show(look: Look): void {
    this.look = look;
    this.applyLook();
  }

  // Draws again soon.
  wake(): void {
    this.dirty = true;
  }

  // Whether the picture is as good as it gets.
  get settled(): boolean {
    const waits = this.moved || this.dirty || this.choiceStale || this.current?.terrain.hasNews;
    return this.current !== undefined && this.current.terrain.settled && !waits;
  }

  // What lies at a point of the page.
  pick(clientX: number, clientY: number): Picked | undefined {
    const box = this.canvas.getBoundingClientRect();
    const hit = this.hit(
      (2 * (clientX - box.left) - box.width) / box.height,
      1 - 2 * (clientY - box.top) / box.height);
    return hit && this.pointAt(moved(
      this.rig.pose.place, hit.x, hit.y, this.rig.sideM));
  }

  // What lies at a place; undefined where nothing is drawn.
  pointAt(place: Place): Picked | undefined {
    const {eastM, southM} = this.local(place);
    const point = this.current?.ground.pointAt(eastM, southM);
    return point && {...point, place};
  }

  surfaceAt(place: Place): number | undefined {
    const {eastM, southM} = this.local(place);
    return this.current?.ground.heightAt(eastM, southM);
  }

  // The picture as a file.
  async screenshot(): Promise<Blob> {
    this.stage.draw();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error('no picture')), 'image/png');
    });
  }

  // For tests: ground without skirts, or before a sky of one colour.
  probe(options: {skirts?: boolean; background?: readonly [number, number, number]}): void {
    if (options.skirts !== undefined) this.painter.skirts = options.skirts;
    const [r, g, b] = options.background ?? [0, 0, 0];
    this.stage.shared['plainBackground']!.value.set(r, g, b, options.background ? 1 : 0);
    this.redrawSet();
    this.wake();
  }

  private grid(): Grid {
    const {spec} = this.current!.world;
    const {tileX, tileY} = this.rig.pose.place;
    return {cellSizeM: spec.cell_size_m, levels: spec.levels, originX: tileX, originY: tileY};
  }

  // A place in metres from the grid's origin.
  private local(place: Place): {eastM: number; southM: number} {
    const offset = this.rig.offsetTo(place);
    const {eastM, southM} = this.rig.pose.place;
    return {eastM: eastM + offset.eastM, southM: southM + offset.southM};
  }

  private eye(): Vector {
    const {place, heightM} = this.rig.pose;
    return {x: place.eastM, y: place.southM, z: heightM};
  }

  private get rangeM(): number {
    const farthest = 4 * this.rig.sideM;
    return Math.min(Math.max(leastRangeM, rangePerHeight * this.rig.clearanceM), farthest);
  }

  private view(): View {
    const {headingDeg, pitchDeg} = this.rig.pose;
    const {width, height} = this.stage.renderer.domElement;
    return {
      position: this.eye(),
      direction: directionOf(headingDeg, pitchDeg),
      verticalFovDeg,
      aspect: Math.min(Math.max(width / height, 0.1), 10),
      viewportHeightPx: Math.max(height, 1),
      toleratedErrorPx: this.detail.detail.toleratedErrorPx,
      rangeM: this.rangeM,
    };
  }

  // From the eye to the ground along a ray through the picture.
  private hit(right: number, up: number): Vector | undefined {
    const {headingDeg, pitchDeg} = this.rig.pose;
    const ray = rayThrough(headingDeg, pitchDeg, verticalFovDeg, right, up);
    const eye = this.eye();
    const hit = this.current?.ground.hit(eye, ray, this.rangeM);
    return hit && {x: hit.x - eye.x, y: hit.y - eye.y, z: hit.z - eye.z};
  }

  private groundFromEye(clientX: number, clientY: number): Vector {
    const box = this.canvas.getBoundingClientRect();
    const right = (2 * (clientX - box.left) - box.width) / box.height;
    const up = 1 - 2 * (clientY - box.top) / box.height;
    return this.hit(right, up) ?? this.inDistance(right, up);
  }

  private inDistance(right: number, up: number): Vector {
    const {headingDeg, pitchDeg} = this.rig.pose;
    const ray = rayThrough(headingDeg, pitchDeg, verticalFovDeg, right, up);
    const far = Math.min(10 * this.rig.clearanceM, this.rangeM);
    return {x: ray.x * far, y: ray.y * far, z: ray.z * far};
  }

  // The ground in the middle of the picture, from the eye.
  private pivot(): Vector {
    return this.hit(0, 0) ?? this.inDistance(0, 0);
  }

  private resize(): void {
    const {clientWidth, clientHeight} = this.canvas;
    const ratio = Math.min(window.devicePixelRatio, this.detail.detail.mostPixelRatio);
    this.stage.resize(Math.max(clientWidth, 1), Math.max(clientHeight, 1), ratio);
    this.moved = true;
  }

  private applyDetail(): void {
    this.painter.stride = this.detail.detail.stride;
    this.resize();
    this.redrawSet();
  }

  private applyLook(): void {
    const {look, stage} = this;
    stage.light(look.sunAzimuthDeg, look.sunAltitudeDeg);
    stage.showLayer(look.layer, this.current?.world.spec.sea_level_m);
    this.painter.showOverlay(this.overlay()?.layer);
    this.moved = true;
  }

  private overlay(): Overlay | undefined {
    const overlay = overlayScales[this.look.layer];
    return overlay && this.current?.world.layers.has(overlay.layer) ? overlay : undefined;
  }

  private redrawSet(): void {
    if (!this.current) return;
    this.current.ground.refresh();
    this.painter.show(this.current.terrain, this.grid());
    this.dirty = true;
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const seconds = Math.min((now - this.lastFrame) / 1000, 0.1);
    const afterPause = this.lastDrawn !== this.lastFrame;
    this.lastFrame = now;
    if (!this.current) return;
    this.keys.drive(this.rig, this.mode, seconds, () => this.pivot());
    this.choose(now);
    if (this.current.terrain.advance()) {
      this.redrawSet();
      this.settle();
      this.rig.keepOverGround();
    }
    if (!this.moved && !this.dirty) return;
    this.draw();
    this.frames.add(now, afterPause);
    this.lastDrawn = now;
    if (this.detail.judge(this.frames)) this.applyDetail();
    this.announce();
  }

  private announce(): void {
    if (!this.showsGround && this.tilesShown > 0) {
      this.showsGround = true;
      this.onFirstGround();
    }
    this.onFrame();
  }

  // Chooses tiles anew when the camera or what is known changed, but not at every frame.
  private choose(now: number): void {
    const {terrain} = this.current!;
    const due = now - this.lastChoice > Math.max(leastBetweenChoicesMs, 6 * this.choiceMs);
    if (!due || (!this.choiceStale && !terrain.hasNews && !this.moved)) return;
    terrain.clearNews();
    this.choiceStale = false;
    this.lastChoice = now;
    const began = performance.now();
    terrain.choose(this.view(), this.grid(), this.overlay());
    this.choiceMs = performance.now() - began;
  }

  private choiceStale = true;

  // Until somebody takes the camera, it stays over the ground that it shows.
  private settle(): void {
    if (!this.settling) return;
    const {pose} = this.rig;
    const heading = pose.headingDeg * Math.PI / 180;
    const {aheadM} = this.settling;
    const ahead = moved(
      pose.place, aheadM * Math.sin(heading), -aheadM * Math.cos(heading), this.rig.sideM);
    const ground = this.surfaceAt(ahead);
    if (ground === undefined) return;
    this.rig.set({...pose, heightM: ground + this.settling.overGroundM});
    if (this.current!.terrain.drawable.finest) this.settling = undefined;
  }

  private draw(): void {
    const {terrain} = this.current!;
    // What moved since the last choice is for the next one.
    this.choiceStale ||= this.moved;
    this.moved = this.dirty = false;
    const grid = this.grid();
    const eye = this.eye();
    const clearanceM = this.rig.clearanceM;
    this.stage.look(this.rig.pose, Math.max(0.3, 0.02 * clearanceM), this.rangeM);
    this.stage.shared['contourM']!.value = this.contourM(clearanceM);
    this.placeProfile();
    const frustum = new Frustum(this.view());
    const seaLevelM = this.world?.spec.sea_level_m ?? -Infinity;
    this.tilesShown = this.painter.place(terrain, grid, eye, (key, tile) => frustum.mayShow(
      boxOf(grid, key, tile.surface.minHeight / 65536, topOf(tile, seaLevelM))));
    this.stage.draw();
  }

  private contourM(clearanceM: number): number {
    if (this.look.contours !== 'auto') return this.look.contours;
    const wanted = clearanceM / 18;
    const power = 10 ** Math.floor(Math.log10(wanted));
    return [5, 2, 1].map((factor) => factor * power).find((step) => step <= wanted) ?? power;
  }

  private placeProfile(): void {
    const ends = this.profile?.map((place) => this.rig.offsetTo(place));
    this.stage.shared['profile']!.value.set(
      ends?.[0]?.eastM ?? 0, ends?.[0]?.southM ?? 0, ends?.[1]?.eastM ?? 0, ends?.[1]?.southM ?? 0);
  }
}

// The highest point of a tile's ground and sea.
function topOf(tile: Tile, seaLevelM: number): number {
  return Math.max(tile.surface.maxHeight / 65536, seaLevelM);
}

// Each takes about a megabyte here and on the GPU.
function mostTilesInMemory(): number {
  const gibibytes = (navigator as {deviceMemory?: number}).deviceMemory ?? 4;
  return gibibytes >= 8 ? 512 : gibibytes >= 4 ? 320 : 160;
}
