// Counts the cells that drain to each vertex over at most 2^n - 1 steps, in one walk down from each cell: as n passes of
// rivers_drain count them. The ring is 2^n wide. tileArgument: n, and above it, in bit 7, the plane that is written.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "tile.glsl"
#include "packed.glsl"

// A way's direction, above a count in kCountBits.
shared uint counts[kTileShared];

void main() {
  // The way from where the walk has come to. Kept ways are counted apart: they end walks, and begin none. Nor does a
  // walk leave the tile.
  int ways[kTileStrip];
  uint own[kTileStrip];
  for (int k = 0; k < kTileStrip; ++k) {
    int way = rate[placeInTile(k)];
    bool kept = (way & kWayKept) != 0;
    own[k] = kept ? 0u : 1u;
    ways[k] = kept || isOnRim(k) ? kWayEnds : wayDirection(way);
    counts[sharedAt(k)] = uint(ways[k]) << kCountBits;
  }
  barrier();
  int passes = tileArgument() & 127;
  for (int k = 0; k < kTileStrip; ++k) {
    int at = sharedAt(k);
    int way = ways[k];
    for (int steps = 1; steps < (1 << passes) && way != kWayEnds; ++steps) {
      at += sharedStep(neighbour(way));
      way = int(atomicAdd(counts[at], 1u) >> kCountBits);
      if (way == kWayEnds) atomicAdd(counts[at], timesCounted(steps, passes) - 1u);
    }
  }
  barrier();
  for (int k = 0; k < kTileStrip; ++k) {
    uint counted = own[k] + (counts[sharedAt(k)] & ((1u << kCountBits) - 1u));
    if (isWritten(k)) movers[(tileArgument() >> 7) * pass.plane + placeInTile(k)] = packedWords(counted, 0u);
  }
}
