import {describe, expect, it} from 'vitest';
import {Rig} from '../src/camera/rig';

const pose = {
  place: {tileX: 3, tileY: -2, eastM: 10, southM: 20}, heightM: 100, headingDeg: 30, pitchDeg: -20,
};

describe('a camera', () => {
  it('rises with the ground, and says only then that it moved', () => {
    const rig = new Rig(pose, 1000);
    let [ground, moves] = [90, 0];
    rig.groundUnder = () => ground;
    rig.onMove = () => { ++moves; };
    rig.keepOverGround();
    expect([rig.pose, moves]).toEqual([pose, 0]);
    ground = 140;
    rig.keepOverGround();
    expect(rig.pose).toEqual({...pose, heightM: 141.7});
    rig.keepOverGround();
    expect(moves).toBe(1);
  });

  it('glides where it heads', () => {
    const rig = new Rig({...pose, headingDeg: 0}, 1000);
    rig.glide(10, 1, 5);
    expect(rig.pose.place).toEqual({...pose.place, eastM: 11, southM: 10});
    expect(rig.pose.heightM).toBe(105);
    rig.turn(90, 0);
    rig.glide(10, 1, 0);
    expect(rig.pose.place.eastM).toBeCloseTo(21, 9);
    expect(rig.pose.place.southM).toBeCloseTo(11, 9);
  });

  it('stays where it is over ground that nobody knows', () => {
    const rig = new Rig(pose, 1000);
    rig.keepOverGround();
    expect(rig.pose).toEqual(pose);
  });
});
