// Surfaces sink to where they spill. One invocation does a few vertices of a column, which share
// neighbours. pass.argument: the plane that is read, 0 or 1; pass.before: the last row.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"
#include "packed.glsl"

int placeAt(int column, int row) { return placeIn(slotHere(), column, min(row, pass.before + 1)); }
uint64_t packedAt(int column, int row) { return movers[pass.argument * pass.plane + placeAt(column, row)]; }

void main() {
  if (beyondRow()) return;
  int x = columnHere();
  int first = pass.y + int(gl_GlobalInvocationID.y) * kFillRows;
  if (kOnSphere && !isOwner(slotHere(), x, first) && !isOwner(slotHere(), x, first + 1) &&
      !isOwner(slotHere(), x, first + 2) && !isOwner(slotHere(), x, first + 3)) {
    return;
  }
  int west[kFillRows + 2];
  int middle[kFillRows + 2];
  int east[kFillRows + 2];
  uint64_t packed[kFillRows + 2];
  for (int k = 0; k < kFillRows + 2; ++k) {
    packed[k] = packedAt(x, first + k - 1);
    west[k] = surfaceOf(packedAt(x - 1, first + k - 1));
    middle[k] = surfaceOf(packed[k]);
    east[k] = surfaceOf(packedAt(x + 1, first + k - 1));
  }
  for (int k = 0; k < kFillRows; ++k) {
    uint64_t here = packed[k + 1];
    int beside = min(min(west[k + 1], east[k + 1]), min(middle[k], middle[k + 2]));
    int corner = min(min(west[k], east[k]), min(west[k + 2], east[k + 2]));
    int i = placeAt(x, first + k);
    uint high = uint(here >> 32);
    int surface = sunkSurface(height[pass.front + i], surfaceOf(here), high, beside, corner);
    // Beyond the last row one is written that no later sweep reads: on a plane no condition keeps compilers from vectors.
    bool writes = !kOnSphere || (first + k <= pass.before && isOwner(slotHere(), x, first + k));
    if (writes) movers[pass.plane - pass.argument * pass.plane + i] = packedWords(uint(surface), high);
  }
}
