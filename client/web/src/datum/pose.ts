// Where the camera is and looks.
import type {Place} from './place';

export interface Pose {
  readonly place: Place;
  // Above the datum.
  readonly heightM: number;
  // Clockwise from north.
  readonly headingDeg: number;
  // Above the horizon; -90 looks straight down.
  readonly pitchDeg: number;
}

// Between the picture's upper and lower edge.
export const verticalFovDeg = 50;
