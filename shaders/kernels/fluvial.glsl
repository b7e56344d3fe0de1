// Rivers that incise by the stream power law (Howard 1994; Braun & Willett 2013 for the notation),
// dh/dt = -K A^m S, in explicit steps along fixed ways. Hillslopes fail over the angle of repose.
// Water takes the steepest way down the triangles around a vertex, shared between the two neighbours
// that the way passes between (D-infinity, Tarboton 1997), so that it follows no direction of the
// grid. The flow layer is the drainage area: it starts from the parent's flow and moves one cell an
// iteration (after Schott et al. 2023). Depressions drain: shallow ones are filled. From deeper ones
// the way from the pit to the spill point is carved down to the pit's height (Lindsay 2016, by
// iteration along the way).
#ifndef THALWEG_KERNELS_FLUVIAL
#define THALWEG_KERNELS_FLUVIAL

#include "exact.glsl"
#include "thermal.glsl"

KERNELS_BEGIN

struct FluvialParams {
  float inverse_cell;
  float cell;
  // Cells that are carved in an iteration where the slope is 1 and the drainage one cell.
  float erodibility;
  float area_exponent;  // m; the slope's is 1
  float limit;          // max part of the drop to the receivers that is lost in an iteration
  float talus;          // the angle of repose as a slope
  int background_flow;  // one cell's rain in flow units
  int depth;  // max depth, in height units, to which ground is lowered under the
              // level's first ground
  int silt;     // max depth, in height units, of a pool that is filled; deeper ones are carved open
  int descent;  // fall of a carved way, in height units a cell
  int sea_level;
  uint stream;
};

// A way: the two neighbours that a vertex drains to, as directions, and the share of the second, in
// 1/256, at most half.
KERNEL int packedWay(int first, int second, int share) {
  return first | (second << 3) | (share << 6);
}
KERNEL int firstOf(int way) { return way & 7; }
KERNEL int secondOf(int way) { return (way >> 3) & 7; }
KERNEL int shareOf(int way) { return (way >> 6) & 255; }

// Turns a way's directions by quarter turns.
KERNEL int turnedDrainage(int way, int turns) {
  int first = (firstOf(way) + 2 * turns) & 7;
  int second = (secondOf(way) + 2 * turns) & 7;
  return (way & ~63) | first | (second << 3);
}

// Added to the way of a pit, the sea or standing water, which drains nowhere.
CONSTANT int kNoWay = 1 << 16;
// Added to the way of ground under water and of the ground that holds the water: neither erodes.
CONSTANT int kSill = 1 << 17;
CONSTANT int kMaxFlow = 1 << 28;

// A fall in a direction that no water takes.
CONSTANT float kNoFall = -1e30f;

// The random weight of a fall in a direction, around 1. Without it a valley one cell wide would
// keep to one of eight directions (after Rho8, Fairfield & Leymarie 1991).
KERNEL float wayWeight(uint hash, int direction) {
  return 0.53125f + float((hash >> uint(4 * direction)) & 15u) * 0.0625f;
}

// The steepest way down one triangle.
struct Descent {
  float slope2;  // the square of the fall over a cell; 0 if nothing falls
  int share;     // the diagonal neighbour's, in 1/256; the straight one gets the rest
};

// straight, diagonal: the falls to the triangle's two neighbours.
KERNEL Descent descentBetween(float straight, float diagonal) {
  Descent descent;
  float across = diagonal - straight;
  if (across <= 0.0f) {
    descent.slope2 = straight > 0.0f ? straight * straight : 0.0f;
    descent.share = 0;
  } else if (across >= straight) {
    descent.slope2 = diagonal > 0.0f ? 0.5f * diagonal * diagonal : 0.0f;
    descent.share = 256;
  } else {
    descent.slope2 = straight * straight + across * across;
    descent.share = int(256.0f * across * reciprocal(straight));
  }
  return descent;
}

// The way to a straight neighbour and the diagonal one beside it.
KERNEL int wayBetween(int straight, int diagonal, int share) {
  return share <= 128 ? packedWay(straight, diagonal, share)
                      : packedWay(diagonal, straight, 256 - share);
}

// The part of the drainage along a way that goes in this direction. The parts of both add up to it.
KERNEL uint drainageTo(int direction, int way, uint drainage) {
  uint share = uint(shareOf(way));
  uint second = (drainage >> 8) * share + (((drainage & 255u) * share) >> 8);
  uint gone = secondOf(way) == direction ? second : 0u;
  uint kept = firstOf(way) == direction ? drainage - second : 0u;
  return (way & kNoWay) != 0 ? 0u : gone + kept;
}

// The height that is lost in an iteration along a way, from the drops to its neighbours and the flow
// that passes.
KERNEL int incision(int way, float first_drop, float second_drop, int flow, FluvialParams params) {
  float share = float(shareOf(way)) * 0.00390625f;
  float drop = first_drop + share * (second_drop - first_drop);
  if (drop <= 0.0f) return 0;
  // Cells that the way goes aside for each straight one.
  float aside = (firstOf(way) & 1) != 0 ? 1.0f - share : share;
  float run2 = 1.0f + aside * aside;
  float inverse_run = reciprocalSqrt(run2);
  float fall = drop * params.inverse_cell;
  float slope = fall * inverse_run;
  float area = max(float(flow) * 0.00390625f, 1.0f);
  float carved = params.erodibility * power(area, params.area_exponent) * slope;
  float slid = (slope - params.talus) * run2 * inverse_run * 0.5f;
  float lost = min(max(carved, slid), fall * params.limit);
  return int(lost * params.cell);
}

KERNELS_END

#endif
