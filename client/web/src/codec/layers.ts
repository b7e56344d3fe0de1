// The layers of tiles, by the names that URLs use; their facts are those of the contract.
import {layerFacts} from '../generated/layers';

export type LayerName = keyof typeof layerFacts;

export function isLayer(name: string): name is LayerName {
  return Object.hasOwn(layerFacts, name);
}

// The number of thalweg.v1.Layer.
export function layerNumber(name: LayerName): number {
  return layerFacts[name].number;
}

// How many steps of the layer's integers its unit is.
export function perUnit(name: LayerName): number {
  return 1 / layerFacts[name].scale;
}
