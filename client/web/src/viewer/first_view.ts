// Keeps the camera at its height over ground that is still loading, until the user moves it.
import type {Rig} from '../camera/rig';
import type {Start} from '../state/start_pose';
import type {Picker} from './picker';

export class FirstView {
  private over: Start['over'];

  constructor(private readonly rig: Rig, private readonly picker: Picker) {}

  // Begins to keep the height. Undefined: the camera stays where it is.
  begin(over: Start['over']): void {
    this.over = over;
  }

  // Call this when the user moves the camera.
  end(): void {
    this.over = undefined;
  }

  // Lifts or lowers the camera to its height over the drawn ground.
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
