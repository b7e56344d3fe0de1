// How the camera keeps its height while the ground loads.
import {describe, expect, it} from 'vitest';
import {Rig} from '../src/camera/rig';
import {datumOf} from '../src/datum/datum';
import {FirstView} from '../src/viewer/first_view';

const pose = {
  place: {tileX: 0, tileY: 0, eastM: 10, southM: 20}, heightM: 32, headingDeg: 30, pitchDeg: -4,
};
const datum = datumOf({cell_size_m: 1000 / 256, levels: 1});

function rigOver(heights: number[]): Rig {
  const rig = new Rig(pose, datum);
  rig.groundUnder = () => heights[0];
  return rig;
}

describe('a first view', () => {
  it('comes back to the height of its link when fine ground is lower', () => {
    const heights = [136];
    const rig = rigOver(heights);
    const view = new FirstView(rig);
    view.begin({atM: pose.heightM});
    rig.keepOverGround();
    view.follow(false);
    expect(rig.pose.heightM).toBe(137.7);
    heights[0] = 29;
    view.follow(true);
    expect(rig.pose).toEqual(pose);
  });

  it('follows the ground ahead', () => {
    const heights = [136];
    const rig = rigOver(heights);
    const view = new FirstView(rig);
    view.begin({overGroundM: 500, aheadM: 40});
    view.follow(false);
    expect(rig.pose.heightM).toBe(636);
    heights[0] = 29;
    view.follow(true);
    expect(rig.pose.heightM).toBe(529);
  });

  it('leaves a camera alone that the user has moved, or whose ground is there', () => {
    const heights = [136];
    const rig = rigOver(heights);
    const view = new FirstView(rig);
    view.begin({atM: pose.heightM});
    rig.keepOverGround();
    view.end();
    heights[0] = 29;
    view.follow(false);
    expect(rig.pose.heightM).toBe(137.7);

    view.begin({atM: 40});
    view.follow(true);
    heights[0] = 136;
    rig.keepOverGround();
    heights[0] = 29;
    view.follow(true);
    expect(rig.pose.heightM).toBe(137.7);
  });
});
