// Noise on a plane from a table of its lattice's gradients, which noise_table.comp makes. The table stands in
// `discharge`, which nothing else needs before ways are found. Included after standing.glsl.

NoiseTable tableOf(int slot, Lattice lattice) {
  return noiseTable(lattice, globalColumnIn(slot, 0), globalRowIn(slot, 0), pass.stride);
}

// Where the gradient of a stream at a lattice point stands: its x; its y follows after a table's side squared.
int tableEntry(int slot, NoiseTable table, int which, int x, int y) {
  return slot * pass.stride * pass.stride + (2 * which * table.side + y) * table.side + x;
}

vec2 tabledGradient(int entry, int plane) {
  return vec2(uintBitsToFloat(discharge[entry]), uintBitsToFloat(discharge[entry + plane]));
}

// The same as gradientNoise, at a vertex of the window or up to kTableMargin cells beside it.
float tabledNoise(NoiseTable table, Lattice lattice, int which, int slot, int column, int row) {
  int qx = table.part_x + 256 * (column * lattice.turn_x - row * lattice.turn_y);
  int qy = table.part_y + 256 * (column * lattice.turn_y + row * lattice.turn_x);
  int cx = qx >> lattice.shift;
  int cy = qy >> lattice.shift;
  float to_unit = uintBitsToFloat(uint(127 - lattice.shift) << 23);
  vec2 at = vec2(float(qx - (cx << lattice.shift)) * to_unit, float(qy - (cy << lattice.shift)) * to_unit);
  int plane = table.side * table.side;
  int entry = tableEntry(slot, table, which, cx - table.first_x, cy - table.first_y);
  PlaneCorners corners;
  corners.nw = tabledGradient(entry, plane);
  corners.ne = tabledGradient(entry + 1, plane);
  corners.sw = tabledGradient(entry + table.side, plane);
  corners.se = tabledGradient(entry + table.side + 1, plane);
  return noiseBetween(corners, at);
}
