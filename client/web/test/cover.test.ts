// The colours of the cover.
import {expect, test} from 'vitest';
import {coverColor, coverColors, firstClass, weightsOf} from '../src/codec/cover';
import {vertexCount} from '../src/codec/layer_codec';
import {coverNames} from '../src/generated/layers';

const classOf = (name: typeof coverNames[number]): number => coverNames.indexOf(name);

test('every class has its own colour', () => {
  const colors = coverNames.map((_, cover) => coverColor(cover).join());
  expect(new Set(colors).size).toBe(coverNames.length);
});

test('colours are mixed by the weights of three classes', () => {
  const [forest, grass, rock] = [classOf('Forest'), classOf('Grass'), classOf('Rock')];
  const values = new Int32Array(vertexCount);
  values[0] = forest;
  values[1] = forest | grass << 4 | rock << 8 | 85 << 12 | 68 << 20;
  const colors = coverColors(values);
  expect([...colors.slice(0, 4)]).toEqual([...coverColor(forest), 0]);
  for (let c = 0; c < 3; ++c) {
    const mixed = (102 * coverColor(forest)[c]! + 85 * coverColor(grass)[c]! + 68 * coverColor(rock)[c]!) / 255;
    expect(colors[4 + c]).toBe(Math.round(mixed));
  }
});

test('colours keep the dampness, and each class has its own weight', () => {
  const [forest, river] = [classOf('Forest'), classOf('River')];
  const values = new Int32Array(vertexCount).fill(forest);
  values[7] = forest | river << 4 | 90 << 12;
  const damp = new Uint8Array(vertexCount);
  damp[7] = 200;
  expect([...coverColors(values, damp).slice(4 * 6, 4 * 8)].filter((_, n) => n % 4 === 3)).toEqual([0, 200]);
  const weights = weightsOf(values, river);
  expect([weights[6], weights[7], weightsOf(values, forest)[7]]).toEqual([0, 90, 165]);
  expect(firstClass(values[7]!)).toBe(forest);
});

test('an unknown class is drawn as rock', () => {
  expect(coverColor(15)).toEqual(coverColor(classOf('Rock')));
});
