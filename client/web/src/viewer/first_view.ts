// How the camera stands over ground that it was put over before that was there, until somebody moves it.
import type {Rig} from '../camera/rig';
import type {Start} from '../state/start_pose';
import type {Picker} from './picker';

export class FirstView {
  private over: Start['over'];

  constructor(private readonly rig: Rig, private readonly picker: Picker) {}

  // How high the camera is to stand over ground that comes; undefined: where it is.
  begin(over: Start['over']): void {
    this.over = over;
  }

  // Leaves the camera to whoever moves it.
  end(): void {
    this.over = undefined;
  }

  // Lifts or lowers the camera to the ground that is drawn now.
  follow(isFinest: boolean): void {
    if (!this.over) return;
    const {pose, datum} = this.rig;
    const heading = pose.headingDeg * Math.PI / 180;
    const {aheadM, overGroundM} = this.over;
    const ahead = datum.moved(
      pose, {x: aheadM * Math.sin(heading), y: -aheadM * Math.cos(heading), z: 0});
    const ground = this.picker.heightAt(ahead.place);
    if (ground === undefined) return;
    this.rig.set({...pose, heightM: ground + overGroundM});
    if (isFinest) this.end();
  }
}
