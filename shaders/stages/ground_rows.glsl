// Where ground_slopes.comp leaves what ground.comp reads: for each row of the parent around the window and each of the
// window's columns. Included after standing.glsl and inherited.glsl.

// A row has places more at its ends, since values are written in pairs.
int pitch() { return pass.stride + 3; }
// The place of a row of the parent, counted from the one at or before the window's first row, and a column of the window.
// There is a row before that one.
int placeInRows(int row, int column) {
  return slotHere() * pass.stride * pass.stride + (row + 1) * pitch() + column + 1;
}
