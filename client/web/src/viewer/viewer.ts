// The viewer without the page around it: opens worlds, moves the camera, and draws frame by frame.
import {KeyDrive, Mode} from '../camera/keys';
import {PointerDrive} from '../camera/pointers';
import {Rig} from '../camera/rig';
import {DecodePool} from '../codec/decode_pool';
import {datumOf} from '../datum/datum';
import type {Pose} from '../datum/pose';
import {Stage} from '../render/stage';
import {Start, startOf} from '../state/start_pose';
import {DetailControl, drawsInSoftware} from '../stats/detail';
import {FrameTimes} from '../stats/frame_times';
import {Ground} from '../terrain/ground';
import {Terrain} from '../terrain/terrain';
import {TileLoader} from '../terrain/tile_loader';
import type {World} from '../terrain/world';
import {ChoiceTimer} from './choice_timer';
import {DrawPace} from './draw_pace';
import {Eye} from './eye';
import {FirstView} from './first_view';
import {Picked, Picker} from './picker';
import {Look, Picture} from './picture';

export class Viewer {
  mode: Mode = 'orbit';
  // Called after frames in which something moved or changed.
  onFrame: () => void = () => undefined;
  onTap: (picked: Picked) => void = () => undefined;
  // Called when a new world shows its first ground.
  onFirstGround: () => void = () => undefined;
  // Called when the server lacks a tile of the world, or has removed the world.
  onMissing: (world: World) => void = () => undefined;
  readonly frames = new FrameTimes();
  readonly detail: DetailControl;
  readonly stage: Stage;
  readonly rig: Rig;
  readonly picker: Picker;
  readonly picture: Picture;
  private readonly loader = new TileLoader();
  private readonly pool = new DecodePool();
  private readonly keys: KeyDrive;
  private readonly eye: Eye;
  private readonly firstView: FirstView;
  private readonly choice = new ChoiceTimer();
  private readonly pace: DrawPace;
  private current: {world: World; terrain: Terrain; ground: Ground} | undefined;
  private dirty = true;
  private moved = true;
  // Whether the picture would show other tiles if it were drawn.
  private grown = false;
  // Whether the painter has another set than the terrain.
  private setIsOld = false;
  private lastFrame = 0;
  private lastDrawn = 0;
  private showsGround = false;

  // Throws if the browser has no WebGL 2.
  constructor(private readonly canvas: HTMLCanvasElement, fixedDetail: number | undefined) {
    const software = drawsInSoftware();
    // Four samples a pixel cost a GPU little, but take a processor four times as long.
    this.stage = new Stage(canvas, !software);
    this.pace = new DrawPace(this.stage.renderer.getContext() as WebGL2RenderingContext);
    this.detail = new DetailControl(fixedDetail, software);
    this.rig = new Rig(
      {place: {tileX: 0, tileY: 0, eastM: 0, southM: 0}, heightM: 1000, headingDeg: 0, pitchDeg: -20},
      datumOf({cell_size_m: 1, levels: 1}));
    this.eye = new Eye(this.rig, this.stage, this.detail);
    this.picker = new Picker(this.rig, this.eye);
    this.picture = new Picture(this.stage, this.rig, this.eye);
    this.firstView = new FirstView(this.rig);
    this.rig.onMove = () => { this.moved = true; };
    this.rig.groundUnder = (place) => this.picker.heightAt(place);
    this.keys = new KeyDrive(canvas, () => this.wake());
    this.listen();
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

  // Shows a world, from a pose or from its showplace. Forgets the tiles of the previous world.
  open(world: World, pose: Pose | undefined): void {
    this.current?.terrain.dispose();
    const {painter} = this.picture;
    this.loader.forgive();
    this.loader.onMissing = () => this.onMissing(world);
    const terrain = new Terrain(world, this.loader, this.pool, painter, maxTilesInMemory());
    const ground = new Ground(terrain, () => this.eye.surface, (name) => painter.strideOf(name));
    const start = this.startOf(world);
    this.picker.ground = undefined;
    this.rig.datum = datumOf(world.spec);
    this.rig.set(pose ?? start.pose);
    this.picker.ground = ground;
    this.current = {world, terrain, ground};
    this.showsGround = false;
    this.firstView.begin(pose ? {atM: pose.heightM} : start.over);
    this.picture.open(world);
    this.choice.restart();
  }

  // Returns the pose from which a world is shown first.
  startOf({spec}: World): Start {
    return startOf(spec, this.stage.camera.aspect);
  }

  // Moves the camera to another pose.
  jump(pose: Pose): void {
    this.firstView.begin({atM: pose.heightM});
    this.rig.set(pose);
  }

  show(look: Look): void {
    this.picture.show(look);
    this.moved = true;
  }

  // Makes the next frame draw again.
  wake(): void {
    this.dirty = true;
  }

  // Whether the picture is final: nothing that it shows is still to come.
  get whole(): boolean {
    return this.isUpToDate && this.current!.terrain.whole;
  }

  // Whether the ground around the picture is there too.
  get settled(): boolean {
    return this.isUpToDate && this.current!.terrain.settled;
  }

  private get isUpToDate(): boolean {
    const waits = this.moved || this.dirty || this.grown || this.choice.stale;
    return this.current !== undefined && !waits;
  }

  // Returns the picture as a file.
  async screenshot(): Promise<Blob> {
    this.stage.draw();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob(
        (blob) => blob ? resolve(blob) : reject(new Error('the browser could not save the picture as PNG')),
        'image/png');
    });
  }

  // For tests: draws ground without skirts, or before a sky of one colour.
  probe(options: {skirts?: boolean; background?: readonly [number, number, number]}): void {
    if (options.skirts !== undefined) this.picture.painter.skirts = options.skirts;
    const [r, g, b] = options.background ?? [0, 0, 0];
    this.stage.shared['plainBackground']!.value.set(r, g, b, options.background ? 1 : 0);
    this.redrawSet();
    this.wake();
  }

  private listen(): void {
    const {canvas, eye, picker} = this;
    new PointerDrive({
      canvas, rig: this.rig,
      mode: () => this.mode,
      rayAt: (x, y) => eye.rayAt(x, y),
      groundAt: (x, y) => picker.seenAlong(eye.rayAt(x, y)),
      onTap: (x, y) => { const picked = picker.pick(x, y); if (picked) this.onTap(picked); },
    });
    for (const input of ['pointerdown', 'wheel', 'keydown']) {
      canvas.addEventListener(input, () => this.firstView.end(), {capture: true});
    }
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  private resize(): void {
    const {clientWidth, clientHeight} = this.canvas;
    const ratio = Math.min(window.devicePixelRatio, this.detail.detail.maxPixelRatio);
    this.stage.resize(Math.max(clientWidth, 1), Math.max(clientHeight, 1), ratio);
    this.moved = true;
  }

  private applyDetail(): void {
    this.picture.painter.detail = this.detail.detail;
    this.resize();
    this.redrawSet();
  }

  private redrawSet(): void {
    if (!this.current) return;
    this.current.ground.refresh();
    this.picture.showSet(this.current.terrain);
    this.grown = this.setIsOld = false;
    this.dirty = true;
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const seconds = Math.min((now - this.lastFrame) / 1000, 0.1);
    const afterPause = this.lastDrawn !== this.lastFrame;
    this.lastFrame = now;
    if (!this.current) return;
    const {terrain} = this.current;
    this.keys.drive(this.rig, this.mode, seconds, () => this.picker.seenAlong(this.eye.middleRay));
    this.choose(now, terrain);
    if (this.moved) terrain.look(this.eye.view);
    if (terrain.advance()) this.grow();
    this.grown ||= terrain.takeChange();
    const drawsGrown = this.grown && (terrain.whole || this.pace.isDue(now));
    if (!this.moved && !this.dirty && !drawsGrown) return;
    if (this.setIsOld) this.redrawSet();
    // Movements since the last choice count for the next one.
    this.choice.stale ||= this.moved;
    this.moved = this.dirty = this.grown = false;
    this.picture.draw(terrain);
    this.pace.drawn(now);
    this.frames.add(now, afterPause);
    this.lastDrawn = now;
    if (this.detail.judge(this.frames)) this.applyDetail();
    this.announce();
  }

  // Takes tiles that came. The first view moves with them, but need not be drawn for each.
  private grow(): void {
    const {terrain, ground} = this.current!;
    const moved = this.moved;
    this.setIsOld = true;
    this.moved = false;
    ground.refresh();
    this.firstView.follow(terrain.drawable.finest);
    this.rig.keepOverGround();
    const isLifted = this.moved;
    this.moved = moved;
    if (!isLifted) return;
    this.choice.stale = true;
    terrain.look(this.eye.view);
    if (terrain.advance()) ground.refresh();
  }

  private choose(now: number, terrain: Terrain): void {
    if (!this.choice.isDue(now) || (!this.choice.stale && !terrain.hasNews && !this.moved)) return;
    this.choice.run(now, () => {
      terrain.clearNews();
      terrain.choose(this.eye.view, this.eye.surface, this.picture.overlay);
    });
  }

  private announce(): void {
    if (!this.showsGround && this.picture.tilesShown > 0) {
      this.showsGround = true;
      this.onFirstGround();
    }
    this.onFrame();
  }
}

// A tile takes about 1.3 megabytes here, and as much on the GPU where it is near.
function maxTilesInMemory(): number {
  const gibibytes = (navigator as {deviceMemory?: number}).deviceMemory ?? 4;
  return gibibytes >= 8 ? 512 : gibibytes >= 4 ? 320 : 160;
}
