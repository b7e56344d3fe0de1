// The colours of the cover.
import {expect, test} from 'vitest';
import {coverColor, coverColors} from '../src/codec/cover';
import {vertexCount} from '../src/codec/layer_codec';
import {coverNames} from '../src/generated/layers';

const classOf = (name: typeof coverNames[number]): number => coverNames.indexOf(name);

test('every class has a colour of its own', () => {
  const colors = coverNames.map((_, cover) => coverColor(cover).join());
  expect(new Set(colors).size).toBe(coverNames.length);
});

test('colours are mixed by the weights of three classes', () => {
  const [forest, grass, rock] = [classOf('Forest'), classOf('Grass'), classOf('Rock')];
  const values = new Int32Array(vertexCount);
  values[0] = forest;
  values[1] = forest | grass << 4 | rock << 8 | 85 << 12 | 68 << 20;
  const colors = coverColors(values);
  expect([...colors.slice(0, 4)]).toEqual([...coverColor(forest), forest]);
  for (let c = 0; c < 3; ++c) {
    const mixed = (102 * coverColor(forest)[c]! + 85 * coverColor(grass)[c]! + 68 * coverColor(rock)[c]!) / 255;
    expect(colors[4 + c]).toBe(Math.round(mixed));
  }
});

test('a number that is no class is drawn as rock', () => {
  expect(coverColor(15)).toEqual(coverColor(classOf('Rock')));
});
