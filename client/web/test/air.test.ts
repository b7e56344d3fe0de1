// Which air a planet has.
import {describe, expect, it} from 'vitest';
import {airOf} from '../src/render/air';
import type {WorldSpec} from '../src/terrain/world';

const specOf = (rainMm: number, seaLevelM?: number): WorldSpec =>
  ({climate: {rain_mm: rainMm}, ...(seaLevelM !== undefined && {sea_level_m: seaLevelM})}) as WorldSpec;

describe('the air of a planet', () => {
  it('is thick over a sea, however little it rains', () => {
    const {gasDepth} = airOf(specOf(900, 0));
    expect(gasDepth.z).toBeGreaterThan(0.2);
    expect(airOf(specOf(0, -200)).gasDepth).toEqual(gasDepth);
  });

  it('is dust on a dry world where rain falls', () => {
    const {gasDepth, dustDepth} = airOf(specOf(30));
    expect(dustDepth.x).toBeGreaterThan(10 * gasDepth.x);
  });

  it('is none where only frost falls', () => {
    expect(airOf(specOf(0)).scaleHeightM).toBe(0);
    expect(airOf(specOf(8)).scaleHeightM).toBe(0);
    expect(airOf({} as WorldSpec).scaleHeightM).toBe(0);
  });
});
