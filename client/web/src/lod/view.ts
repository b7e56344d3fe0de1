// Where somebody looks, and how large things seem from there: proto/lod/view.h.
import type {Vector} from '../space/vector';

export interface View {
  // On a plane from the north-west corner of the grid's origin.
  readonly position: Vector;
  // Of any length above 0.
  readonly direction: Vector;
  // What the picture's upper edge is turned to where the camera looks straight down: of length 1. Absent: the north.
  readonly ahead?: Vector;
  // The angle between the picture's upper and lower edge.
  readonly verticalFovDeg: number;
  // Width over height.
  readonly aspect: number;
  readonly viewportHeightPx: number;
  readonly toleratedErrorPx: number;
  // Ground farther away than this is not drawn. A planet is drawn whole: what is farther away keeps its coarsest level.
  readonly rangeM: number;
}

// How many pixels a length of 1 m has that is seen from 1 m away.
export function pixelsPerRadian(view: View): number {
  return view.viewportHeightPx / (2 * Math.tan(view.verticalFovDeg * Math.PI / 360));
}
