// A camera's view, and how large things look from it: proto/geometry/view.h.
import type {Vector} from '../space/vector';

export interface View {
  // On a plane, from the north-west corner of the grid's origin tile.
  readonly position: Vector;
  // Of any length above 0.
  readonly direction: Vector;
  // The direction of the picture's upper edge if the camera looks straight down, of length 1. Absent: north.
  readonly ahead?: Vector;
  // The angle between the picture's upper and lower edge.
  readonly verticalFovDeg: number;
  // The picture's width over its height.
  readonly aspect: number;
  readonly viewportHeightPx: number;
  readonly toleratedErrorPx: number;
  // Ground farther away than this is not drawn. A planet is drawn whole, with farther ground at the coarsest level.
  readonly rangeM: number;
}

// Returns how many pixels a length of 1 m has at a distance of 1 m.
export function pixelsPerRadian(view: View): number {
  return view.viewportHeightPx / (2 * Math.tan(view.verticalFovDeg * Math.PI / 360));
}

// Returns a view with a wider or narrower picture: `factor` times as high and as wide.
export function widened(view: View, factor: number): View {
  const tangent = factor * Math.tan(view.verticalFovDeg * Math.PI / 360);
  return {...view, verticalFovDeg: Math.atan(tangent) * 360 / Math.PI};
}
