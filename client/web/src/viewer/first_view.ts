// Keeps the camera at its height while the ground is still loading, until the user moves it. Coarse ground may be higher than
// fine ground is, and lifts the camera.
import type {Rig} from '../camera/rig';
import type {Start} from '../state/start_pose';

// The height in metres of a pose that a link has, or that over the ground.
export type KeptHeight = {readonly atM: number} | Start['over'];

export class FirstView {
  private kept: KeptHeight;

  constructor(private readonly rig: Rig) {}

  // Begins to keep the height. Undefined: the camera stays where it is.
  begin(kept: KeptHeight): void {
    this.kept = kept;
  }

  // Call this when the user moves the camera.
  end(): void {
    this.kept = undefined;
  }

  // Lifts or lowers the camera to its height over the drawn ground.
  follow(isFinest: boolean): void {
    const heightM = this.kept && this.heightOf(this.kept);
    if (heightM === undefined) return;
    const {pose} = this.rig;
    if (heightM !== pose.heightM) this.rig.set({...pose, heightM});
    if (isFinest) this.end();
  }

  private heightOf(kept: NonNullable<KeptHeight>): number | undefined {
    if ('atM' in kept) return kept.atM;
    const {pose, datum} = this.rig;
    const heading = pose.headingDeg * Math.PI / 180;
    const {aheadM, overGroundM} = kept;
    const ahead = datum.moved(
      pose, {x: aheadM * Math.sin(heading), y: -aheadM * Math.cos(heading), z: 0});
    const ground = this.rig.groundUnder(ahead.place);
    return ground === undefined ? undefined : ground + overGroundM;
  }
}
