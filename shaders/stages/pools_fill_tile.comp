// Surfaces sink to where they spill, in as many sweeps as the ring is wide. tileArgument: the plane that is read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "tile.glsl"
#include "packed.glsl"

shared int surfaces[kTileShared];

void main() {
  int from = tileArgument() * pass.plane;
  int ground[kTileStrip];
  uint high[kTileStrip];
  for (int k = 0; k < kTileStrip; ++k) {
    int i = placeInTile(k);
    uint64_t packed = movers[from + i];
    ground[k] = height[pass.front + i];
    high[k] = uint(packed >> 32);
    surfaces[sharedAt(k)] = surfaceOf(packed);
  }
  for (int sweep = 0; sweep < tileRing(); ++sweep) {
    barrier();
    int west[kTileStrip + 2];
    int middle[kTileStrip + 2];
    int east[kTileStrip + 2];
    for (int k = 0; k < kTileStrip + 2; ++k) {
      int at = sharedAt(k - 1);
      west[k] = surfaces[at - 1];
      middle[k] = surfaces[at];
      east[k] = surfaces[at + 1];
    }
    barrier();
    for (int k = 0; k < kTileStrip; ++k) {
      int beside = min(min(west[k + 1], east[k + 1]), min(middle[k], middle[k + 2]));
      int corner = min(min(west[k], east[k]), min(west[k + 2], east[k + 2]));
      surfaces[sharedAt(k)] = sunkSurface(ground[k], middle[k + 1], high[k], beside, corner);
    }
  }
  for (int k = 0; k < kTileStrip; ++k) {
    // Each invocation reads what it wrote.
    if (isWritten(k)) movers[pass.plane - from + placeInTile(k)] = packedWords(uint(surfaces[sharedAt(k)]), high[k]);
  }
}
