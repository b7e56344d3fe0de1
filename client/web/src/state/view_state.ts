// Everything that a link contains: world, camera, layer, sun, contour lines.
import type {Pose} from '../datum/pose';

export const layerIds =
  ['satellite', 'relief', 'heights', 'slope', 'flow', 'water', 'sediment', 'vegetation'] as const;
export type LayerId = typeof layerIds[number];

// The factors by which a world's parameters differ from its preset's; 1 by default.
export type Changes = Readonly<Record<string, number>>;

export interface ViewState {
  // A name, NAME@SEED or an id.
  readonly world: string;
  readonly changes: Changes;
  // Absent: the world's showplace.
  readonly pose?: Pose;
  readonly layer: LayerId;
  // Degrees clockwise from north, and above the horizon. On a planet: as seen from the camera, wherever it is.
  readonly sunAzimuthDeg: number;
  readonly sunAltitudeDeg: number;
  // Metres between contour lines: 0 is none, 'auto' follows the height of the camera.
  readonly contours: number | 'auto';
}

// The default position of the sun; over a planet high enough to light the whole disc.
export const planeSun = {sunAzimuthDeg: 315, sunAltitudeDeg: 38} as const;
export const planetSun = {sunAzimuthDeg: 300, sunAltitudeDeg: 58} as const;

export const defaultState: ViewState = {
  world: 'alpine',
  changes: {},
  layer: 'satellite',
  ...planeSun,
  contours: 0,
};
