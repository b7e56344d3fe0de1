// Noise on a plane from a table of its lattice's gradients, which noise_table.comp makes. The table stands in
// `discharge`, which nothing else needs before ways are found. Included after standing.glsl.

NoiseTable tableOf(int slot, Lattice lattice) {
  return noiseTable(lattice, globalColumnIn(slot, 0), globalRowIn(slot, 0), pass.stride);
}

// Where the gradient of a stream at a lattice point stands: its x; its y follows after a table's side squared.
int tableEntry(int slot, NoiseTable table, int which, int x, int y) {
  return slot * pass.stride * pass.stride + (2 * which * table.side + y) * table.side + x;
}

float tabledDot(int entry, int plane, float x, float y) {
  return x * uintBitsToFloat(discharge[entry]) + y * uintBitsToFloat(discharge[entry + plane]);
}

// The same as gradientNoise, at a vertex of the window or up to kTableMargin cells beside it.
float tabledNoise(NoiseTable table, Lattice lattice, int which, int slot, int column, int row) {
  int qx = table.part_x + 256 * (column * lattice.turn_x - row * lattice.turn_y);
  int qy = table.part_y + 256 * (column * lattice.turn_y + row * lattice.turn_x);
  int cx = qx >> lattice.shift;
  int cy = qy >> lattice.shift;
  float to_unit = uintBitsToFloat(uint(127 - lattice.shift) << 23);
  float fx = float(qx - (cx << lattice.shift)) * to_unit;
  float fy = float(qy - (cy << lattice.shift)) * to_unit;
  int plane = table.side * table.side;
  int entry = tableEntry(slot, table, which, cx - table.first_x, cy - table.first_y);
  float nw = tabledDot(entry, plane, fx, fy);
  float ne = tabledDot(entry + 1, plane, fx - 1.0f, fy);
  float sw = tabledDot(entry + table.side, plane, fx, fy - 1.0f);
  float se = tabledDot(entry + table.side + 1, plane, fx - 1.0f, fy - 1.0f);
  return noiseBetween(nw, ne, sw, se, fx, fy);
}
