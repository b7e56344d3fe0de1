// Colours of the ground, compared with proto/picture, whose test keeps the vectors current.
import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {coverColors} from '../src/codec/cover';
import {vertexCount} from '../src/codec/layer_codec';
import {legendOf} from '../src/render/ramps';

const vectors = JSON.parse(readFileSync(new URL('vectors/picture.json', import.meta.url), 'utf8')) as {
  heights: (readonly [number | null, number, number])[];
  covers: (readonly [number, number, number, number])[];
};

it.each(vectors.heights)('the ramp over a sea at %s has a height of %s m at %s', (seaM, heightM, place) => {
  const {ticks} = legendOf('relief', seaM === null ? {} : {sea_level_m: seaM});
  const text = heightM.toLocaleString('en');
  if (place < 1) expect(ticks.find(([, label]) => label === text)![0]).toBeCloseTo(place, 5);
});

it('the cover has the colours of its classes, mixed', () => {
  const values = new Int32Array(vertexCount);
  values.set(vectors.covers.map(([packed]) => packed));
  const colors = coverColors(values);
  vectors.covers.forEach(([packed, ...color], n) => {
    for (let c = 0; c < 3; ++c) {
      expect(Math.abs(colors[4 * n + c]! - color[c]!), `channel ${c} of ${packed}`).toBeLessThanOrEqual(1);
    }
  });
});
