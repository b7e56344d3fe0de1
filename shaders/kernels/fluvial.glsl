// Rivers that incise: the stream power law (Howard 1994; Braun & Willett 2013 for the notation),
// dh/dt = -K A^m S, by explicit steps along fixed ways, and hillslopes that fail over the angle of
// repose. Water takes the steepest way down the triangles around a vertex, shared between the two
// neighbours that the way passes between (D-infinity, Tarboton 1997), so that it keeps to no
// direction of the grid. Drainage area is the flow layer: it starts from the parent's and moves one
// cell an iteration (after Schott et al. 2023). Depressions drain: shallow ones are filled, and from
// deeper ones the way from the pit to where they spill is carved down to the pit's height (Lindsay
// 2016, by iteration along the way).
#ifndef THALWEG_KERNELS_FLUVIAL
#define THALWEG_KERNELS_FLUVIAL

#include "exact.glsl"
#include "thermal.glsl"

KERNELS_BEGIN

struct FluvialParams {
  float inverse_cell;
  float cell;
  // Cells that a slope of 1 with the drainage of one cell loses an iteration.
  float erodibility;
  float area_exponent;  // m; the slope's is 1
  float limit;          // most of the drop to the receivers that goes in an iteration
  float talus;          // the angle of repose as a slope
  int background_flow;  // one cell's rain in flow units
  int depth;  // the most, in height units, that the level's ground is lowered to under its
              // beginning
  int silt;     // the most, in height units, that a pool is filled by; what is deeper is carved open
  int descent;  // that a carved way has a cell, in height units
  int sea_level;
  uint stream;
};

// A way: the neighbours that a vertex drains to, as directions, and how much of 256 goes to the
// second, at most half.
KERNEL int packedWay(int first, int second, int share) {
  return first | (second << 3) | (share << 6);
}
KERNEL int firstOf(int way) { return way & 7; }
KERNEL int secondOf(int way) { return (way >> 3) & 7; }
KERNEL int shareOf(int way) { return (way >> 6) & 255; }

// Added to the way of a pit, the sea and still water: it has none.
CONSTANT int kNoWay = 1 << 16;
// Added to the way of ground under water, and of the ground that holds it: it does not erode.
CONSTANT int kSill = 1 << 17;
CONSTANT int kMaxFlow = 1 << 28;

// What a fall in a direction counts, at random around 1: a valley a cell wide would keep to one of
// eight directions otherwise (after Rho8, Fairfield & Leymarie 1991).
KERNEL float wayWeight(uint hash, int direction) {
  return 0.53125f + float((hash >> uint(4 * direction)) & 15u) * 0.0625f;
}

// The steepest way down one triangle.
struct Descent {
  float slope2;  // the square of the slope, times the cell's; 0 where there is none
  int share;     // of 256, what goes to the diagonal neighbour; the rest goes to the straight one
};

// straight, diagonal: the falls to the triangle's neighbours.
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

// What goes in this direction of the drainage that takes a way. The two parts are the whole.
KERNEL uint drainageTo(int direction, int way, uint drainage) {
  uint share = uint(shareOf(way));
  uint second = (drainage >> 8) * share + (((drainage & 255u) * share) >> 8);
  uint gone = secondOf(way) == direction ? second : 0u;
  uint kept = firstOf(way) == direction ? drainage - second : 0u;
  return (way & kNoWay) != 0 ? 0u : gone + kept;
}

// Height that is lost in an iteration along a way, for the drops to its neighbours and the flow that
// passes.
KERNEL int incision(int way, float first_drop, float second_drop, int flow, FluvialParams params) {
  float share = float(shareOf(way)) * 0.00390625f;
  float drop = first_drop + share * (second_drop - first_drop);
  if (drop <= 0.0f) return 0;
  // Part of a cell that the way goes aside for each straight one.
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
