// Links: converts the state of a view to the fragment of its address, and back.
import type {Datum} from '../datum/datum';
import {isOnPlanet} from '../datum/place';
import type {Pose} from '../datum/pose';
import {Changes, LayerId, ViewState, defaultState, layerIds} from './view_state';

// Rounds a number to a number of decimals.
function decimal(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

function poseFields(pose: Pose, datum: Datum): (readonly [string, string])[] {
  return [
    ...datum.linkOf(pose.place),
    ['height', decimal(pose.heightM, 2)],
    ['heading', decimal(pose.headingDeg, 2)],
    ['pitch', decimal(pose.pitchDeg, 2)],
  ];
}

// Returns the fragment without its '#'. The datum is the world's.
export function fragmentOf(state: ViewState, datum: Datum): string {
  const fields: (readonly [string, string])[] = [['world', state.world]];
  const changes = Object.entries(state.changes).filter(([, factor]) => factor !== 1);
  if (changes.length > 0) {
    fields.push(['set', changes.map(([name, factor]) => `${name}:${decimal(factor, 4)}`).join(',')]);
  }
  if (state.pose) fields.push(...poseFields(state.pose, datum));
  if (state.layer !== defaultState.layer) fields.push(['layer', state.layer]);
  // Over a planet the sun stays in space while the camera moves.
  if ((state.pose && isOnPlanet(state.pose.place)) || state.sunAzimuthDeg !== defaultState.sunAzimuthDeg ||
    state.sunAltitudeDeg !== defaultState.sunAltitudeDeg) {
    fields.push(
      ['sun', `${decimal(state.sunAzimuthDeg, 1)},${decimal(state.sunAltitudeDeg, 1)}`]);
  }
  if (state.contours !== defaultState.contours) fields.push(['contours', String(state.contours)]);
  // Commas, colons and @ need no escape in a fragment, and read better without.
  return fields.map(([name, value]) => `${name}=${encodeURIComponent(value)
    .replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%40/g, '@')}`).join('&');
}

function numberOf(text: string | null | undefined, min: number, max: number): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? Math.min(Math.max(value, min), max) : undefined;
}

// Returns the camera of a link; undefined if it is missing or invalid.
function poseOf(fields: URLSearchParams, datum: Datum): Pose | undefined {
  const place = datum.fromLink(fields);
  const heightM = numberOf(fields.get('height'), -32768, 1e9);
  if (!place || heightM === undefined) return undefined;
  const heading = numberOf(fields.get('heading'), -1e6, 1e6) ?? 0;
  return {
    place,
    heightM,
    headingDeg: heading >= 0 && heading < 360 ? heading : ((heading % 360) + 360) % 360,
    pitchDeg: numberOf(fields.get('pitch'), -90, 90) ?? -20,
  };
}

function changesOf(text: string | null): Changes {
  const changes: Record<string, number> = {};
  for (const item of (text ?? '').split(',')) {
    const [name, factor] = item.split(':');
    const value = numberOf(factor, 0, 1000);
    if (name && /^[a-z]+$/.test(name) && value !== undefined) changes[name] = value;
  }
  return changes;
}

// Reads the fields that do not depend on the world. Missing and invalid ones get their defaults.
export function parseFragment(fragment: string): Omit<ViewState, 'pose'> {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const layer = fields.get('layer') as LayerId;
  const [azimuth, altitude] = (fields.get('sun') ?? '').split(',');
  const contours = fields.get('contours');
  return {
    world: fields.get('world') || defaultState.world,
    changes: changesOf(fields.get('set')),
    layer: layerIds.includes(layer) ? layer : defaultState.layer,
    sunAzimuthDeg: numberOf(azimuth, 0, 360) ?? defaultState.sunAzimuthDeg,
    sunAltitudeDeg: numberOf(altitude, -90, 90) ?? defaultState.sunAltitudeDeg,
    contours: contours === 'auto' ? 'auto' : numberOf(contours, 0, 10000) ?? defaultState.contours,
  };
}

// Returns the camera of a fragment, for a world with this datum.
export function parsePose(fragment: string, datum: Datum): Pose | undefined {
  return poseOf(new URLSearchParams(fragment.replace(/^#/, '')), datum);
}

// Whether a fragment has the sun's position.
export function saysSun(fragment: string): boolean {
  return new URLSearchParams(fragment.replace(/^#/, '')).has('sun');
}
