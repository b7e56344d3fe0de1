// How the camera stays over the ground and glides.
import {describe, expect, it} from 'vitest';
import {Rig} from '../src/camera/rig';
import {datumOf} from '../src/datum/datum';

const pose = {
  place: {tileX: 3, tileY: -2, eastM: 10, southM: 20}, heightM: 100, headingDeg: 30, pitchDeg: -20,
};
// Tiles of 1,000 m.
const datum = datumOf({cell_size_m: 1000 / 256, levels: 1});

describe('a camera', () => {
  it('rises with the ground, and says only then that it moved', () => {
    const rig = new Rig(pose, datum);
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

  it('glides in the direction of its heading', () => {
    const rig = new Rig({...pose, headingDeg: 0}, datum);
    rig.glide(10, 1, 5);
    expect(rig.pose.place).toEqual({...pose.place, eastM: 11, southM: 10});
    expect(rig.pose.heightM).toBe(105);
    rig.turn(90, 0);
    rig.glide(10, 1, 0);
    const place = rig.pose.place as typeof pose.place;
    expect(place.eastM).toBeCloseTo(21, 9);
    expect(place.southM).toBeCloseTo(11, 9);
  });

  it('stays where it is over unknown ground', () => {
    const rig = new Rig(pose, datum);
    rig.keepOverGround();
    expect(rig.pose).toEqual(pose);
  });
});
