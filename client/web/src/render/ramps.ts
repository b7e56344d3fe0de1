// The colours of layers: the ramps of proto/picture/ramps.json, which the server's pictures use too, on fixed scales,
// so that tiles and views match.
import {LayerName, perUnit} from '../codec/layers';
import {OverlayScale, fractionOf} from '../codec/overlay';
import {rampStops} from '../generated/ramps';
import type {LayerId} from '../state/view_state';
import type {WorldSpec} from '../terrain/world';

type Rgb = readonly [number, number, number];
type Stop = readonly [number, number, number, number];

// The rows of the texture of ramps, in order: what each is for, and its colours.
const rampOf = {
  relief: rampStops.relief,
  heights: rampStops.land,
  slope: rampStops.steep,
  flow: rampStops.flow,
  water: rampStops.water,
  sediment: rampStops.sand,
  vegetation: rampStops.plants,
  sea: rampStops.relief_sea,
} as const;
export type RampId = keyof typeof rampOf;
export const rampRows = Object.keys(rampOf) as RampId[];

// The contents of a scale's legend.
export interface Legend {
  readonly title: string;
  readonly unit: string;
  readonly ramp: RampId;
  // Positions on the ramp, 0 to 1, with their labels.
  readonly ticks: readonly (readonly [number, string])[];
}

export const landTopM = 3600;
export const landExponent = 0.6;
// In a world without a sea, the lowest tint is this far below the datum.
export const lowestWithoutSeaM = -300;
export const steepestDeg = 60;
export const depthScale: OverlayScale = {perUnit: perUnit('water-depth'), max: 2000, unit: 2};

// In square kilometres. From orbit every cell of a planet's level 0 drains more than a plane's rivers.
export function catchmentScaleOf(onPlanet: boolean): Required<OverlayScale> {
  return onPlanet ? {perUnit: 1, max: 1e7, unit: 0.03} : {perUnit: 1, max: 1e4, unit: 0.003};
}

// The layers that are fetched only when they are shown.
export const overlayScales: Partial<Record<LayerId, {layer: LayerName; scale: OverlayScale}>> = {
  sediment: {layer: 'sediment', scale: {perUnit: perUnit('sediment'), max: 50, unit: 0.1}},
  vegetation: {layer: 'vegetation', scale: {perUnit: perUnit('vegetation') / 100, max: 100}},
};

// The layer of tiles that a layer of the picture needs, if some worlds lack it.
const neededLayers: Partial<Record<LayerId, LayerName>> = {
  flow: 'flow', water: 'water-depth', sediment: 'sediment', vegetation: 'vegetation',
};

// Whether a world with these layers can show a layer of the picture.
export function canShow(layer: LayerId, layers: ReadonlySet<LayerName>): boolean {
  const needed = neededLayers[layer];
  return needed === undefined || layers.has(needed);
}

function tick(value: number, scale: OverlayScale): readonly [number, string] {
  return [fractionOf(value, scale), value.toLocaleString('en')];
}

function heightTick(heightM: number, lowestM: number): readonly [number, string] {
  const fraction = ((heightM - lowestM) / landTopM) ** landExponent;
  return [fraction, Math.round(heightM).toLocaleString('en')];
}

// The legend of a layer in a world.
export function legendOf(
  layer: Exclude<LayerId, 'satellite'>, {sea_level_m: seaLevelM, sphere}: Partial<WorldSpec>): Legend {
  const lowestM = seaLevelM ?? lowestWithoutSeaM;
  const overSea = (heights: number[]) =>
    heights.map((height) => heightTick(height, lowestM)).filter(([at]) => at >= 0 && at <= 1);
  switch (layer) {
    case 'relief':
    case 'heights': return {
      title: 'Height above the datum', unit: 'm', ramp: layer,
      ticks: overSea([lowestM, 250, 1000, 2000, 3500]),
    };
    case 'slope': return {
      title: 'Slope', unit: '°', ramp: 'slope',
      ticks: [0, 15, 30, 45, 60].map((deg) => [deg / steepestDeg, String(deg)] as const),
    };
    case 'flow': return {
      title: 'Area upstream', unit: 'km²', ramp: 'flow',
      ticks: (sphere ? [0, 1, 100, 10_000] : [0, 0.1, 10, 1000])
        .map((km2) => tick(km2, catchmentScaleOf(sphere !== undefined))),
    };
    case 'water': return {
      title: 'Depth of lakes and sea', unit: 'm', ramp: 'water',
      ticks: [0, 10, 100, 1000].map((depth) => tick(depth, depthScale)),
    };
    case 'sediment': return {
      title: 'Thickness of sediment', unit: 'm', ramp: 'sediment',
      ticks: [0, 0.5, 5, 50].map((depth) => tick(depth, overlayScales.sediment!.scale)),
    };
    case 'vegetation': return {
      title: 'Ground covered by plants', unit: '%', ramp: 'vegetation',
      ticks: [0, 50, 100].map((percent) => tick(percent, overlayScales.vegetation!.scale)),
    };
  }
}

function colorOf([, red, green, blue]: Stop): Rgb {
  return [red, green, blue];
}

// The colour at a position on a ramp, 0 to 1.
export function colorAt(ramp: RampId, fraction: number): Rgb {
  const list: readonly Stop[] = rampOf[ramp];
  const n = list.findIndex(([at]) => at >= fraction);
  if (n === -1) return colorOf(list[list.length - 1]!);
  if (n === 0) return colorOf(list[0]!);
  const [low, high] = [list[n - 1]!, list[n]!];
  const share = (fraction - low[0]) / (high[0] - low[0]);
  return [1, 2, 3].map((c) => low[c]! + (high[c]! - low[c]!) * share) as unknown as Rgb;
}

export const rampWidth = 256;

// Returns all ramps as RGBA bytes, one row each.
export function rampPixels(): Uint8Array {
  const pixels = new Uint8Array(4 * rampWidth * rampRows.length);
  rampRows.forEach((ramp, row) => {
    for (let n = 0; n < rampWidth; ++n) {
      const color = colorAt(ramp, n / (rampWidth - 1)).map(Math.round);
      pixels.set([...color, 255], 4 * (row * rampWidth + n));
    }
  });
  return pixels;
}
