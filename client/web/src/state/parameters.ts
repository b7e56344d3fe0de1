// What can be changed of a world with a slider, and the specification that comes of it.
import type {WorldSpec} from '../terrain/world';
import type {Changes} from './view_state';

type Json = null | boolean | number | string | Json[] | {[name: string]: Json};

export interface Parameter {
  readonly id: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  // Of a world as it is.
  readonly unchanged: number;
  readonly text: (value: number) => string;
  readonly appliesTo: (spec: WorldSpec) => boolean;
  readonly apply: (spec: WorldSpec, value: number) => void;
}

const timesText = (value: number): string => `× ${value.toFixed(2)}`;

// Multiplies every number with one of the names, anywhere below, staying in the range that the
// specification allows.
function multiply(json: Json, most: Readonly<Record<string, number>>, factor: number): void {
  if (Array.isArray(json)) {
    for (const item of json) multiply(item, most, factor);
  } else if (json !== null && typeof json === 'object') {
    for (const [name, value] of Object.entries(json)) {
      const limit = most[name];
      if (limit !== undefined && typeof value === 'number') {
        json[name] = Math.min(value * factor, limit);
      } else {
        multiply(value, most, factor);
      }
    }
  }
}

const erosionFields = {erodibility: 1, erosion: 1, erodibility_soft: 16, erodibility_hard: 16};
const detailFields = {roughness: 1, slope_roughness: 1};

export const parameters: readonly Parameter[] = [
  {
    id: 'relief', label: 'Relief', min: 0.2, max: 2, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: (spec) => spec.base !== undefined,
    apply: (spec, value) => {
      spec.base = {product: {nodes: [{constant: value}, spec.base!]}};
    },
  },
  {
    id: 'breadth', label: 'Breadth', min: 0.25, max: 3, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: (spec) => spec.base !== undefined,
    apply: (spec, value) => multiply(spec.base as Json, {wavelength_m: 1e8}, value),
  },
  {
    id: 'erosion', label: 'Erosion', min: 0, max: 3, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: (spec) => /"(erodibility|erosion)/.test(JSON.stringify(spec.rules ?? [])),
    apply: (spec, value) => multiply((spec.rules ?? []) as Json, erosionFields, value),
  },
  {
    id: 'roughness', label: 'Roughness', min: 0, max: 3, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: () => true,
    apply: (spec, value) => {
      for (const rule of spec.rules ?? []) {
        const {detail} = rule as {detail?: Json};
        if (detail) multiply(detail, detailFields, value);
      }
    },
  },
  {
    id: 'sea', label: 'Sea level', min: -400, max: 800, step: 10, unchanged: 0,
    text: (value) => `${value > 0 ? '+' : ''}${value} m`,
    appliesTo: (spec) => spec.sea_level_m !== undefined,
    apply: (spec, value) => { spec.sea_level_m = (spec.sea_level_m ?? 0) + value; },
  },
];

// Without those that change nothing.
export function realChanges(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([id, value]) =>
    parameters.some((parameter) => parameter.id === id && parameter.unchanged !== value)));
}

// For people, one a change: "Relief × 1.50".
export function changesText(changes: Changes): string[] {
  return parameters.filter(({id}) => changes[id] !== undefined)
    .map(({id, label, text}) => `${label} ${text(changes[id]!)}`);
}

// FNV-1a, in 32 bits.
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; ++n) {
    hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

// The specification with the changes made. Its name tells what it was made of, and is the same for the same
// changes.
export function changedSpec(spec: WorldSpec, changes: Changes): WorldSpec {
  const changed = structuredClone(spec);
  for (const parameter of parameters) {
    const value = changes[parameter.id];
    if (value === undefined || !parameter.appliesTo(spec)) continue;
    parameter.apply(changed, Math.min(Math.max(value, parameter.min), parameter.max));
  }
  const stem = spec.name.replace(/[^a-z0-9-]/g, '-').slice(0, 40);
  changed.name = `${stem}-${hashOf(JSON.stringify({...changed, name: ''}))}`;
  return changed;
}
