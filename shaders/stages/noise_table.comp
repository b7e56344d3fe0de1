// Computes the gradients at the corners of a lattice's cells, so that vertices need not: one corner an invocation.
// The tables of several streams of random numbers follow each other, row after row.
#include "bindings.glsl"

PARAMETERS(NoiseTableParams)

#include "standing.glsl"
#include "noise_table.glsl"

void main() {
  if (beyondRow()) return;
  int slot = slotHere();
  NoiseTable table = tableOf(slot, params.lattice);
  int row = rowHere();
  int which = row / table.side;
  row -= which * table.side;
  int column = columnHere();
  uint hash = hashPoint(uvec2(pass.seed_low, pass.seed_high), params.lattice.stream + uint(which),
                        table.cell_x + table.first_x + column, table.cell_y + table.first_y + row);
  vec2 gradient = gradientOf(hash);
  int entry = tableEntry(slot, table, which, column, row);
  discharge[entry] = floatBitsToUint(gradient.x);
  discharge[entry + table.side * table.side] = floatBitsToUint(gradient.y);
}
