// The camera's position and direction.
import type {Place} from './place';

export interface Pose {
  readonly place: Place;
  // Height above the datum.
  readonly heightM: number;
  // Degrees clockwise from north.
  readonly headingDeg: number;
  // Degrees above the horizon; -90 looks straight down.
  readonly pitchDeg: number;
}

// The angle between the picture's upper and lower edge.
export const verticalFovDeg = 50;
