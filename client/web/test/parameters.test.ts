// The specifications that the sliders make.
import {describe, expect, it} from 'vitest';
import {isLayer, layerNumber, perUnit} from '../src/codec/layers';
import {colorAt, rampRows} from '../src/render/ramps';
import {changedSpec, parameters} from '../src/state/parameters';
import {World, WorldSpec, surfaceLayers} from '../src/terrain/world';

const spec: WorldSpec = {
  name: 'shire', showplace: {side_m: 1000},
  cell_size_m: 512, levels: 12,
  base: {sum: {nodes: [{fbm: {wavelength_m: 1000}}, {warp: {source: {constant: 1},
    displacement: {wavelength_m: 9e7}}}]}},
  nodes: [{name: 'hills', node: {ridged: {wavelength_m: 500}}}],
  rules: [
    {detail: {roughness: 0.5, slope_roughness: 0.9}, stages: [{droplet: {steps: 24, erosion: 0.4}}]},
    {stages: [{snowball: {erosion: 3}}, {collision: {erodibility_soft: 9}}, {thermal: {rate: 1}},
      {hydrology: {rain: {erosion: 0.2}, settling: 0.3}}]},
  ],
};

function appliesTo(id: string, to: WorldSpec): boolean {
  return parameters.find((parameter) => parameter.id === id)!.appliesTo(to);
}

describe('a slider', () => {
  it('stays within what each stage allows', () => {
    const {rules} = changedSpec(spec, {erosion: 3});
    expect(rules![0]!.stages).toEqual([{droplet: {steps: 24, erosion: 1}}]);
    expect(rules![1]!.stages).toEqual(
      [{snowball: {erosion: 8}}, {collision: {erodibility_soft: 16}}, {thermal: {rate: 1}},
        {hydrology: {rain: {erosion: expect.closeTo(0.6, 9)}, settling: 0.3}}]);
  });

  it('is shown if there is something to change', () => {
    expect(appliesTo('erosion', spec)).toBe(true);
    expect(appliesTo('erosion', {...spec, rules: [{stages: [{thermal: {rate: 1}}]}]})).toBe(false);
    // The word by itself is nothing to erode.
    expect(appliesTo('erosion', {...spec, rules: [], description: 'No "erosion" here'})).toBe(false);
    expect(appliesTo('sea', spec)).toBe(false);
  });

  it('finds wavelengths at any depth', () => {
    const {base, nodes} = changedSpec(spec, {breadth: 3});
    expect(nodes).toEqual([{name: 'hills', node: {ridged: {wavelength_m: 1500}}}]);
    expect(base).toEqual({sum: {nodes: [
      {fbm: {wavelength_m: 3000}},
      {warp: {source: {constant: 1}, displacement: {wavelength_m: 1e8}}},
    ]}});
  });

  it('raises land through its rivers if they make it', () => {
    const made: WorldSpec = {...spec, rules: [{stages: [{rivers: {steepness: 20}}]}, {stages: [{rivers: {steepness: 900}}]}]};
    const {base, rules} = changedSpec(made, {relief: 1.5});
    expect(base).toEqual(spec.base);
    expect(rules!.map((rule) => rule.stages)).toEqual([[{rivers: {steepness: 30}}], [{rivers: {steepness: 1000}}]]);
    expect(changedSpec(spec, {relief: 1.5}).base).toEqual({product: {nodes: [{constant: 1.5}, spec.base]}});
  });

  it('moves the shores with the sea', () => {
    const coast: WorldSpec = {...spec, sea_level_m: 5, height_curve: {points: [{in: 5, out: 5}, {in: 10, out: 60}]}};
    const {sea_level_m, height_curve} = changedSpec(coast, {sea: -20});
    expect(sea_level_m).toBe(-15);
    expect(height_curve!.points).toEqual([{in: -15, out: -15}, {in: -10, out: 40}]);
  });

  it('changes roughness of every rule that adds detail', () => {
    const {rules} = changedSpec(spec, {roughness: 1.5});
    expect(rules![0]!.detail).toEqual({roughness: 0.75, slope_roughness: 1});
    expect(rules![1]!.detail).toBeUndefined();
  });
});

describe('the contract', () => {
  it('gives layers their numbers and scales', () => {
    expect(layerNumber('height')).toBe(1);
    expect(layerNumber('slope')).toBe(14);
    expect(perUnit('height')).toBe(65536);
    expect(isLayer('water-depth')).toBe(true);
    expect(isLayer('toString')).toBe(false);
  });

  it('says which worlds have lakes, not the text of their specification', () => {
    const world: World = {
      id: '', address: '', hasLakes: false, layers: new Set(['height', 'normal', 'water-level']),
      spec: {...spec, rules: [{stages: [{pools: {path: 8}}]}]},
    };
    expect(surfaceLayers(world)).not.toContain('water-level');
    expect(surfaceLayers({...world, hasLakes: true})).toContain('water-level');
  });
});

describe('ramps', () => {
  it('begin and end with their first and last colours', () => {
    for (const ramp of rampRows) {
      for (const place of [0, 0.5, 1]) {
        for (const channel of colorAt(ramp, place)) {
          expect(channel).toBeGreaterThanOrEqual(0);
          expect(channel).toBeLessThanOrEqual(255);
        }
      }
    }
    expect(colorAt('sediment', 0)).toEqual([250, 243, 218]);
    expect(colorAt('sediment', 0.25)).toEqual([240, 221.5, 177]);
    expect(colorAt('sediment', 1)).toEqual([164, 116, 56]);
  });
});
