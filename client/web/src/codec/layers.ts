// The layers of tiles: thalweg.v1.Layer's numbers and the names that URLs use.
export const layerNumbers = {
  'height': 1,
  'flow': 2,
  'wash-load': 3,
  'uplift': 4,
  'sediment': 5,
  'water-level': 6,
  'water-depth': 7,
  'vegetation': 8,
  'wear': 9,
  'deposit': 10,
  'shore-distance': 11,
  'shore-direction': 12,
  'normal': 13,
  'slope': 14,
} as const;

export type LayerName = keyof typeof layerNumbers;
