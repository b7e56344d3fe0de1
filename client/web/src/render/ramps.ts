// Colours of layers: the ramps of client/picture, on scales that no picture changes, so that tiles and
// views match.
import {LayerName} from '../codec/layers';
import {OverlayScale, placeOf} from '../codec/overlay';
import type {LayerId} from '../state/view_state';

type Rgb = readonly [number, number, number];
type Stop = readonly [number, Rgb];

// Rows of the texture of ramps, in order.
export const rampRows =
  ['relief', 'heights', 'slope', 'flow', 'water', 'sediment', 'vegetation', 'sea'] as const;
export type RampId = typeof rampRows[number];

// By the place on the scale. The land's is client/picture's: 0 to 3,600 m above the lowest tint, to the
// power of 0.6.
const stops: Record<RampId, readonly Stop[]> = {
  relief: [
    [0, [156, 160, 114]], [0.1, [128, 150, 92]], [0.28, [112, 138, 84]], [0.42, [130, 140, 92]],
    [0.54, [160, 150, 114]], [0.68, [166, 154, 136]], [0.8, [164, 160, 156]],
    [0.9, [224, 226, 230]], [1, [248, 250, 253]],
  ],
  heights: [
    [0, [140, 176, 124]], [0.12, [164, 190, 132]], [0.28, [198, 206, 150]],
    [0.42, [222, 208, 158]], [0.56, [210, 180, 138]], [0.7, [184, 160, 138]],
    [0.82, [180, 174, 170]], [0.92, [226, 227, 230]], [1, [250, 251, 253]],
  ],
  slope: [
    [0, [26, 20, 58]], [0.13, [48, 22, 92]], [0.25, [79, 18, 123]], [0.38, [129, 37, 129]],
    [0.5, [181, 54, 122]], [0.63, [229, 80, 100]], [0.75, [251, 135, 97]],
    [0.88, [254, 194, 135]], [1, [252, 253, 191]],
  ],
  flow: [
    [0, [236, 240, 240]], [0.35, [168, 206, 226]], [0.7, [54, 128, 188]], [1, [8, 48, 112]],
  ],
  water: [
    [0, [176, 216, 232]], [0.4, [96, 164, 208]], [0.75, [36, 96, 164]], [1, [12, 40, 96]],
  ],
  sediment: [[0, [250, 243, 218]], [0.5, [230, 200, 136]], [1, [150, 96, 40]]],
  vegetation: [[0, [232, 232, 206]], [0.4, [148, 188, 96]], [1, [24, 92, 40]]],
  // On the scale of depths.
  sea: [
    [0, [120, 172, 178]], [0.3, [92, 152, 172]], [0.5, [70, 128, 160]], [0.7, [52, 102, 142]],
    [0.9, [36, 76, 116]], [1, [28, 60, 98]],
  ],
};

// What a legend shows.
export interface Legend {
  readonly title: string;
  readonly unit: string;
  readonly ramp: RampId;
  // Places along the ramp, with what they say.
  readonly ticks: readonly (readonly [number, string])[];
}

export const landTopM = 3600;
export const landExponent = 0.6;
// A world without a sea has its lowest tint this far below the datum.
export const lowestWithoutSeaM = -300;
export const steepestDeg = 60;
export const depthScale: OverlayScale = {perUnit: 65536, most: 2000, unit: 2};
// In square kilometres.
export const catchmentScale: OverlayScale = {perUnit: 1, most: 10000, unit: 0.003};

// The layers that tiles bring along only when they are shown.
export const overlayScales: Partial<Record<LayerId, {layer: LayerName; scale: OverlayScale}>> = {
  sediment: {layer: 'sediment', scale: {perUnit: 65536, most: 50, unit: 0.1}},
  vegetation: {layer: 'vegetation', scale: {perUnit: 655.36, most: 100}},
};

function tick(value: number, scale: OverlayScale): readonly [number, string] {
  return [placeOf(value, scale), value.toLocaleString('en')];
}

function heightTick(heightM: number, lowestM: number): readonly [number, string] {
  const place = ((heightM - lowestM) / landTopM) ** landExponent;
  return [place, Math.round(heightM).toLocaleString('en')];
}

// The legend of a layer in a world with that sea level.
export function legendOf(layer: LayerId, seaLevelM: number | undefined): Legend {
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
      title: 'Steepness', unit: '°', ramp: 'slope',
      ticks: [0, 15, 30, 45, 60].map((deg) => [deg / steepestDeg, String(deg)] as const),
    };
    case 'flow': return {
      title: 'Catchment that drains through', unit: 'km²', ramp: 'flow',
      ticks: [0, 0.1, 10, 1000].map((km2) => tick(km2, catchmentScale)),
    };
    case 'water': return {
      title: 'Depth of lakes and sea', unit: 'm', ramp: 'water',
      ticks: [0, 10, 100, 1000].map((depth) => tick(depth, depthScale)),
    };
    case 'sediment': return {
      title: 'Thickness of soft ground', unit: 'm', ramp: 'sediment',
      ticks: [0, 0.5, 5, 50].map((depth) => tick(depth, overlayScales.sediment!.scale)),
    };
    case 'vegetation': return {
      title: 'Ground that plants cover', unit: '%', ramp: 'vegetation',
      ticks: [0, 50, 100].map((percent) => tick(percent, overlayScales.vegetation!.scale)),
    };
  }
}

// The colour at a place of a ramp.
export function colorAt(ramp: RampId, place: number): Rgb {
  const list = stops[ramp];
  const n = list.findIndex(([at]) => at >= place);
  if (n === -1) return list[list.length - 1]![1];
  if (n === 0) return list[0]![1];
  const [[from, low], [to, high]] = [list[n - 1]!, list[n]!];
  const share = (place - from) / (to - from);
  return [0, 1, 2].map((c) => low[c]! + (high[c]! - low[c]!) * share) as unknown as Rgb;
}

export const rampWidth = 256;

// All ramps, a row each, as RGBA bytes.
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
