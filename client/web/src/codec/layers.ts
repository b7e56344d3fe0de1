// The layers of tiles, by the names that URLs use; their properties are from the contract.
import {layerFacts} from '../generated/layers';

export type LayerName = keyof typeof layerFacts;

export function isLayer(name: string): name is LayerName {
  return Object.hasOwn(layerFacts, name);
}

// Returns the number in thalweg.v1.Layer.
export function layerNumber(name: LayerName): number {
  return layerFacts[name].number;
}

// Returns how many of the layer's integer steps make its unit.
export function perUnit(name: LayerName): number {
  return 1 / layerFacts[name].scale;
}
