// The viewer without its panels: a world, a camera over it and what is drawn of it.
import {KeyDrive, Mode} from './camera/keys';
import {PointerDrive} from './camera/pointers';
import {Rig} from './camera/rig';
import {DecodePool} from './codec/decode_pool';
import {Datum, datumOf} from './datum/datum';
import {directionOf, headingOf, pitchOf, rayThrough} from './datum/direction';
import {lowestOf} from './lod/selection';
import {Surface, surfaceOf, viewerOf} from './lod/surface';
import {View, pixelsPerRadian} from './lod/view';
import {airOf} from './render/air';
import {GroundPainter} from './render/ground_painter';
import {PlaneTiles} from './render/plane_tiles';
import {PlanetTiles} from './render/planet_tiles';
import {overlayScales} from './render/ramps';
import {Stage} from './render/stage';
import type {Placing} from './render/tile_shape';
import {Vector, lengthOf, subtract} from './space/vector';
import type {Place} from './datum/place';
import {Start, startOf} from './state/start_pose';
import {Pose, verticalFovDeg} from './datum/pose';
import {LayerId} from './state/view_state';
import {DetailControl, drawsInSoftware} from './stats/detail';
import {FrameTimes} from './stats/frame_times';
import {Ground, GroundPoint} from './terrain/ground';
import {Overlay, Terrain, Tile, planetTolerance} from './terrain/terrain';
import type {World} from './terrain/world';

const leastBetweenChoicesMs = 80;

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
  private current: {world: World; datum: Datum; terrain: Terrain; ground: Ground} | undefined;
  private lastSurface: Surface | undefined;
  // Towards the sun, in space.
  private sun: Vector = {x: 0, y: 0, z: 1};
  private look: Look = {layer: 'satellite', sunAzimuthDeg: 315, sunAltitudeDeg: 38, contours: 0};
  private settling: Start['over'];
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
    this.painter = new GroundPainter(
      this.stage.renderer, this.stage.scene, new PlaneTiles(this.stage.shared));
    this.rig = new Rig(
      {place: {tileX: 0, tileY: 0, eastM: 0, southM: 0}, heightM: 1000, headingDeg: 0, pitchDeg: -20},
      datumOf({cell_size_m: 1, levels: 1}));
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
    const {spec} = world;
    const {stage} = this;
    stage.showPlanet(spec.sphere !== undefined);
    stage.planet.open(airOf(spec));
    this.painter.shape = spec.sphere ? new PlanetTiles(stage.planet.uniforms, spec.sphere.radius_m)
      : new PlaneTiles(stage.shared);
    const datum = datumOf(spec);
    const terrain = new Terrain(world, this.pool, this.painter, mostTilesInMemory());
    terrain.loader.onMissing = () => this.onMissing(world);
    const ground = new Ground(terrain, () => this.surface(), () => this.painter.stride);
    const start = this.startOf(world);
    this.current = undefined;
    this.rig.datum = datum;
    this.rig.set(pose ?? start.pose);
    this.current = {world, datum, terrain, ground};
    this.lastSurface = undefined;
    this.profile = undefined;
    this.showsGround = false;
    this.settling = pose ? undefined : start.over;
    this.applyLook();
    this.lastChoice = -Infinity;
  }

  // Where a world is shown first.
  startOf({spec}: World): Start {
    return startOf(spec, this.stage.camera.aspect);
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
    return hit && this.pickedAt(hit);
  }

  // What lies at a place; undefined where nothing is drawn.
  pointAt(place: Place): Picked | undefined {
    const {pose, datum} = this.rig;
    return this.pickedAt(datum.pointOver(place, 0, pose));
  }

  private pickedAt(point: Vector): Picked | undefined {
    const {pose, datum} = this.rig;
    const found = this.current?.ground.pointUnder(point);
    return found && {...found, place: datum.placeUnder(point, pose)};
  }

  surfaceAt(place: Place): number | undefined {
    const {pose, datum} = this.rig;
    return this.current?.ground.heightUnder(datum.pointOver(place, 0, pose));
  }

  // Where the sun stands, as the camera sees it.
  get sunSeen(): {sunAzimuthDeg: number; sunAltitudeDeg: number} {
    const {sunAzimuthDeg, sunAltitudeDeg} = this.look;
    if (!this.world?.spec.sphere) return {sunAzimuthDeg, sunAltitudeDeg};
    const seen = this.rig.datum.toEye(this.rig.pose, this.sun);
    return {sunAzimuthDeg: headingOf(seen), sunAltitudeDeg: pitchOf(seen)};
  }

  // The picture as a file.
  async screenshot(): Promise<Blob> {
    this.stage.draw();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error('invalid picture: got none')), 'image/png');
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

  // What the ground lies on, about the camera.
  private surface(): Surface {
    const grid = this.rig.datum.gridAbout(this.rig.pose);
    const last = this.lastSurface?.grid;
    if (!last || last.originX !== grid.originX || last.originY !== grid.originY) {
      this.lastSurface = surfaceOf(grid);
    }
    return this.lastSurface!;
  }

  private eye(): Vector {
    return this.rig.datum.eyeOf(this.rig.pose);
  }

  private get rangeM(): number {
    const {datum, pose, clearanceM} = this.rig;
    return datum.rangeM(pose.heightM, clearanceM);
  }

  private view(): View {
    const {datum, pose} = this.rig;
    const {headingDeg, pitchDeg} = pose;
    const {width, height} = this.stage.renderer.domElement;
    return {
      position: this.eye(),
      direction: datum.toSpace(pose, directionOf(headingDeg, pitchDeg)),
      ahead: datum.toSpace(pose, directionOf(headingDeg, 0)),
      verticalFovDeg,
      aspect: Math.min(Math.max(width / height, 0.1), 10),
      viewportHeightPx: Math.max(height, 1),
      toleratedErrorPx: this.detail.detail.toleratedErrorPx *
        (this.world?.spec.sphere ? planetTolerance : 1),
      rangeM: this.rangeM,
    };
  }

  // Along a line of sight through a point of the picture, at the eye.
  private ray(right: number, up: number): Vector {
    const {headingDeg, pitchDeg} = this.rig.pose;
    return rayThrough(headingDeg, pitchDeg, verticalFovDeg, right, up);
  }

  // Where a line of sight meets the ground, in space.
  private hit(right: number, up: number): Vector | undefined {
    const {datum, pose} = this.rig;
    const ray = datum.toSpace(pose, this.ray(right, up));
    return this.current?.ground.hit(this.eye(), ray, this.rangeM);
  }

  private groundFromEye(clientX: number, clientY: number): Vector {
    const box = this.canvas.getBoundingClientRect();
    return this.seen(
      (2 * (clientX - box.left) - box.width) / box.height,
      1 - 2 * (clientY - box.top) / box.height);
  }

  // The ground along a line of sight, from the eye; where there is none, a point in the distance.
  private seen(right: number, up: number): Vector {
    const {datum, pose, clearanceM} = this.rig;
    const hit = this.hit(right, up);
    return hit ? datum.toEye(pose, subtract(hit, this.eye()))
      : datum.inDistance(pose, this.ray(right, up), clearanceM);
  }

  // The ground in the middle of the picture, from the eye.
  private pivot(): Vector {
    return this.seen(0, 0);
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
    const {datum, pose} = this.rig;
    const altitudeDeg = Math.max(look.sunAltitudeDeg, datum.lowestSunDeg);
    this.sun = datum.toSpace(pose, directionOf(look.sunAzimuthDeg, altitudeDeg));
    stage.showLayer(look.layer, this.current?.world.spec ?? {});
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
    this.painter.show(this.current.terrain, this.surface());
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
    terrain.choose(this.view(), this.surface(), this.overlay());
    this.choiceMs = performance.now() - began;
  }

  private choiceStale = true;

  // Until somebody takes the camera, it stays over the ground that it shows.
  private settle(): void {
    if (!this.settling) return;
    const {pose, datum} = this.rig;
    const heading = pose.headingDeg * Math.PI / 180;
    const {aheadM} = this.settling;
    const ahead = datum.moved(
      pose, {x: aheadM * Math.sin(heading), y: -aheadM * Math.cos(heading), z: 0});
    const ground = this.surfaceAt(ahead.place);
    if (ground === undefined) return;
    this.rig.set({...pose, heightM: ground + this.settling.overGroundM});
    if (this.current!.terrain.drawable.finest) this.settling = undefined;
  }

  private draw(): void {
    const {terrain} = this.current!;
    // What moved since the last choice is for the next one.
    this.choiceStale ||= this.moved;
    this.moved = this.dirty = false;
    const {clearanceM, datum, pose} = this.rig;
    const {stage, rangeM} = this;
    const view = this.view();
    stage.look(pose, Math.max(0.3, 0.02 * clearanceM), datum.farthestM(pose.heightM, rangeM));
    stage.shared['rangeM']!.value = rangeM;
    stage.shared['contourM']!.value = this.contourM(clearanceM);
    const sun = datum.toEye(pose, this.sun);
    stage.light(sun.x, sun.z, sun.y);
    const surface = this.surface();
    const lowestM = lowestOf(surface.rootsWithin(view.position, rangeM), terrain.factsOf);
    this.lookAtPlanet(view, lowestM);
    const placing = this.placing(surface, view.position);
    this.painter.shape.showLine(this.profileEnds(), placing);
    const eye = viewerOf(view, surface, lowestM);
    this.tilesShown = this.painter.place(
      terrain, placing, (key, tile) => surface.sightOf(key, this.heightsOf(tile), eye));
    stage.draw();
  }

  private placing(surface: Surface, eye: Vector): Placing {
    const {datum, pose} = this.rig;
    return {
      surface, eye,
      toPicture: (direction) => {
        const {x, y, z} = datum.toEye(pose, direction);
        return [x, z, y];
      },
    };
  }

  private lookAtPlanet(view: View, lowestM: number | undefined): void {
    const {datum, pose} = this.rig;
    const radiusM = this.world?.spec.sphere?.radius_m;
    if (radiusM === undefined) return;
    const axes = [{x: 1, y: 0, z: 0}, {x: 0, y: 0, z: 1}, {x: 0, y: 1, z: 0}];
    this.stage.planet.look({
      radiusM, lowestM, heightM: lengthOf(view.position) - radiusM,
      pixelAngle: 1 / pixelsPerRadian(view),
      toSpace: axes.flatMap((axis) => Object.values(datum.toSpace(pose, axis))),
    });
  }

  private contourM(clearanceM: number): number {
    if (this.look.contours !== 'auto') return this.look.contours;
    const wanted = clearanceM / 18;
    const power = 10 ** Math.floor(Math.log10(wanted));
    return [5, 2, 1].map((factor) => factor * power).find((step) => step <= wanted) ?? power;
  }

  private profileEnds(): [Vector, Vector] | undefined {
    const {datum, pose} = this.rig;
    if (!this.profile) return undefined;
    const [from, to] = this.profile.map((place) => datum.pointOver(place, 0, pose));
    return [from!, to!];
  }

  // Of a tile's ground and the sea on it.
  private heightsOf({surface}: Tile): {least: number; most: number} {
    const seaLevelM = this.world?.spec.sea_level_m ?? -Infinity;
    return {least: surface.minHeight / 65536, most: Math.max(surface.maxHeight / 65536, seaLevelM)};
  }
}

// Each takes about a megabyte here and on the GPU.
function mostTilesInMemory(): number {
  const gibibytes = (navigator as {deviceMemory?: number}).deviceMemory ?? 4;
  return gibibytes >= 8 ? 512 : gibibytes >= 4 ? 320 : 160;
}
