// The parameters of a world that sliders change, and the specification with the changes.
import {detailLimits, noiseLimits, stageLimits} from '../generated/limits';
import type {StageNumbers, WorldSpec} from '../terrain/world';
import type {Changes} from './view_state';

export interface Parameter {
  readonly id: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  // The value that changes nothing.
  readonly unchanged: number;
  readonly text: (value: number) => string;
  readonly appliesTo: (spec: WorldSpec) => boolean;
  readonly apply: (spec: WorldSpec, value: number) => void;
}

const timesText = (value: number): string => `× ${value.toFixed(2)}`;

// Multiplies a number of a message, up to its largest allowed value.
function multiply(
  message: Record<string, unknown>, name: string, max: number | undefined, factor: number): void {
  const value = message[name];
  if (max !== undefined && typeof value === 'number') message[name] = Math.min(value * factor, max);
}

// Yields every object of the noise graph, at any depth.
function* nodesOf(node: object): Generator<Record<string, unknown>> {
  yield node as Record<string, unknown>;
  for (const value of Object.values(node)) {
    if (typeof value === 'object' && value !== null) yield* nodesOf(value);
  }
}

const erosionNumbers = ['erodibility', 'erosion', 'erodibility_soft', 'erodibility_hard'];

interface Limits {
  readonly [name: string]: number | Limits;
}

// Yields a message's numbers, at any depth, that control erosion: message, name, largest value.
function* erosionOf(message: StageNumbers, limits: Limits): Generator<[StageNumbers, string, number]> {
  for (const [name, value] of Object.entries(message)) {
    const limit = limits[name];
    if (typeof limit === 'number' && erosionNumbers.includes(name)) yield [message, name, limit];
    if (typeof limit === 'object' && typeof value === 'object') yield* erosionOf(value, limit);
  }
}

function erosionOfWorld({rules}: WorldSpec): [StageNumbers, string, number][] {
  const stages = (rules ?? []).flatMap((rule) => rule.stages ?? []);
  return stages.flatMap((stage) => [...erosionOf(stage, stageLimits)]);
}

// Returns the stages that build land from its rivers up; they decide its relief.
function riversOf({rules}: WorldSpec): Record<string, unknown>[] {
  const stages = (rules ?? []).flatMap((rule) => rule.stages ?? []);
  return stages.flatMap((stage) => typeof stage['rivers'] === 'object' ? [stage['rivers']] : []);
}

export const parameters: readonly Parameter[] = [
  {
    id: 'relief', label: 'Relief', min: 0.2, max: 2, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: (spec) => spec.base !== undefined,
    apply: (spec, value) => {
      const rivers = riversOf(spec);
      for (const stage of rivers) multiply(stage, 'steepness', stageLimits.rivers.steepness, value);
      if (rivers.length === 0) spec.base = {product: {nodes: [{constant: value}, spec.base!]}};
    },
  },
  {
    id: 'breadth', label: 'Breadth', min: 0.25, max: 3, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: (spec) => spec.base !== undefined,
    apply: (spec, value) => {
      for (const node of nodesOf([spec.base, spec.steepness ?? [], spec.nodes ?? []])) {
        multiply(node, 'wavelength_m', noiseLimits.wavelength_m, value);
      }
    },
  },
  {
    id: 'erosion', label: 'Erosion', min: 0, max: 3, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: (spec) => erosionOfWorld(spec).length > 0,
    apply: (spec, value) => {
      for (const [message, name, max] of erosionOfWorld(spec)) multiply(message, name, max, value);
    },
  },
  {
    id: 'roughness', label: 'Roughness', min: 0, max: 3, step: 0.05, unchanged: 1, text: timesText,
    appliesTo: () => true,
    apply: (spec, value) => {
      for (const {detail} of spec.rules ?? []) {
        for (const [name, max] of Object.entries(detailLimits)) {
          if (detail) multiply(detail, name, max, value);
        }
      }
    },
  },
  {
    id: 'sea', label: 'Sea level', min: -400, max: 800, step: 10, unchanged: 0,
    text: (value) => `${value > 0 ? '+' : ''}${value} m`,
    appliesTo: (spec) => spec.sea_level_m !== undefined,
    apply: (spec, value) => {
      spec.sea_level_m = (spec.sea_level_m ?? 0) + value;
      // The world's shores move with the sea.
      for (const point of spec.height_curve?.points ?? []) {
        point.in += value;
        point.out += value;
      }
    },
  },
];

// Returns the changes without those that change nothing.
export function realChanges(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([id, value]) =>
    parameters.some((parameter) => parameter.id === id && parameter.unchanged !== value)));
}

// Returns one text for each change, for people: "Relief × 1.50".
export function changesText(changes: Changes): string[] {
  return parameters.filter(({id}) => changes[id] !== undefined)
    .map(({id, label, text}) => `${label} ${text(changes[id]!)}`);
}

// Returns the FNV-1a hash, in 32 bits.
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; ++n) {
    hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

// Returns the changed specification. Its name contains the original's; equal changes give equal names.
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
