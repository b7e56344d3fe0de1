// The picture of a world: its ground, sky and light as the camera sees them, in the chosen look.
import type {Rig} from '../camera/rig';
import {directionOf, headingOf, pitchOf} from '../datum/direction';
import type {Place} from '../datum/place';
import {lowestOf} from '../lod/selection';
import {Heights, Surface, viewerOf} from '../lod/surface';
import {View, pixelsPerRadian} from '../lod/view';
import {airOf} from '../render/air';
import {GroundPainter} from '../render/ground_painter';
import {PlaneTiles} from '../render/plane_tiles';
import {PlanetTiles} from '../render/planet_tiles';
import {overlayScales} from '../render/ramps';
import type {Stage} from '../render/stage';
import type {Placing} from '../render/tile_shape';
import {Vector, lengthOf} from '../space/vector';
import type {LayerId} from '../state/view_state';
import type {Overlay, Terrain, Tile} from '../terrain/terrain';
import type {World} from '../terrain/world';
import type {Eye} from './eye';

// The part of a view that does not belong to the camera.
export interface Look {
  readonly layer: LayerId;
  readonly sunAzimuthDeg: number;
  readonly sunAltitudeDeg: number;
  readonly contours: number | 'auto';
}

export class Picture {
  readonly painter: GroundPainter;
  // The ends of the profile's line on the ground.
  profile: readonly [Place, Place] | undefined;
  // How many tiles the last frame showed.
  tilesShown = 0;
  private world: World | undefined;
  private look: Look = {layer: 'satellite', sunAzimuthDeg: 315, sunAltitudeDeg: 38, contours: 0};
  // The direction to the sun, in space.
  private sun: Vector = {x: 0, y: 0, z: 1};

  constructor(private readonly stage: Stage, private readonly rig: Rig, private readonly eye: Eye) {
    this.painter = new GroundPainter(stage.renderer, stage.scene, new PlaneTiles(stage.shared, 1));
  }

  // Takes another world; the camera must already be over it.
  open(world: World): void {
    const {stage} = this;
    const {spec} = world;
    this.world = world;
    this.profile = undefined;
    stage.showPlanet(spec.sphere !== undefined);
    stage.planet.open(airOf(spec));
    this.painter.shape = spec.sphere ? new PlanetTiles(stage.planet.uniforms, spec.sphere.radius_m, spec.cell_size_m)
      : new PlaneTiles(stage.shared, spec.cell_size_m);
    this.show(this.look);
  }

  show(look: Look): void {
    const {datum, pose} = this.rig;
    this.look = look;
    const altitudeDeg = Math.max(look.sunAltitudeDeg, datum.lowestSunDeg);
    this.sun = datum.toSpace(pose, directionOf(look.sunAzimuthDeg, altitudeDeg));
    this.stage.showLayer(look.layer, this.world?.spec ?? {});
    this.painter.showOverlay(this.overlay?.layer);
  }

  // The layer over the ground, which is fetched only while it is shown.
  get overlay(): Overlay | undefined {
    const overlay = overlayScales[this.look.layer];
    return overlay && this.world?.layers.has(overlay.layer) ? overlay : undefined;
  }

  // The sun's position, as seen from the camera.
  get sunSeen(): Pick<Look, 'sunAzimuthDeg' | 'sunAltitudeDeg'> {
    const {sunAzimuthDeg, sunAltitudeDeg} = this.look;
    if (!this.world?.spec.sphere) return {sunAzimuthDeg, sunAltitudeDeg};
    const seen = this.rig.datum.toEye(this.rig.pose, this.sun);
    return {sunAzimuthDeg: headingOf(seen), sunAltitudeDeg: pitchOf(seen)};
  }

  draw(terrain: Terrain): void {
    const {clearanceM, datum, pose} = this.rig;
    const {stage} = this;
    const {view, surface} = this.eye;
    const {rangeM} = view;
    stage.look(pose, Math.max(0.3, 0.02 * clearanceM), datum.farthestM(pose.heightM, rangeM));
    stage.shared['rangeM']!.value = rangeM;
    stage.shared['pixelAngle']!.value = 1 / pixelsPerRadian(view);
    stage.shared['contourM']!.value = this.contourM(clearanceM);
    const sun = datum.toEye(pose, this.sun);
    stage.light(sun.x, sun.z, sun.y);
    const lowestM = lowestOf(surface.rootsWithin(view.position, rangeM), terrain.factsOf);
    this.lookAtPlanet(view, lowestM);
    const placing = this.placing(surface, view.position);
    this.painter.shape.showLine(this.profileEnds(), placing);
    const viewer = viewerOf(view, surface, lowestM);
    this.tilesShown = this.painter.place(
      terrain, placing, (key, tile) => surface.sightOf(key, this.heightsOf(tile), viewer));
    stage.draw();
  }

  // Takes the set of tiles that is drawn from now on.
  showSet(terrain: Terrain): void {
    const {view, surface} = this.eye;
    const viewer = viewerOf(view, surface, undefined);
    this.painter.show(
      terrain, surface, (key, tile) => surface.sightOf(key, this.heightsOf(tile), viewer).distanceM);
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

  // Returns the range of a tile's heights, including the sea on it.
  private heightsOf({surface}: Tile): Heights {
    const seaLevelM = this.world?.spec.sea_level_m ?? -Infinity;
    return {min: surface.minHeight / 65536, max: Math.max(surface.maxHeight / 65536, seaLevelM)};
  }
}
