// Rivers that incise: the stream power law (Howard 1994; Braun & Willett 2013 for the notation),
// dh/dt = -K A^m S, by explicit steps along fixed receivers, and hillslopes that fail over the
// angle of repose. Drainage area is the flow layer: it starts from the parent's and moves one cell
// an iteration (after Schott et al. 2023). Depressions drain: the way from their pit to where they
// spill is carved down to the pit's height (Lindsay 2016, by iteration along the way).
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
  float limit;          // most of the drop to the receiver that goes in an iteration
  float talus;          // the angle of repose as a slope
  int background_flow;  // one cell's rain in flow units
  int depth;  // the most, in height units, that the level's ground is lowered to under its
              // beginning
  int sea_level;
  uint stream;
  int planes;  // as in PoolsParams
};

// What a receiver direction is where there is none: a pit, the sea, still water's sill.
CONSTANT int kNoReceiver = 8;
// Added to the direction of ground under water, and of the ground that holds it: it does not erode.
CONSTANT int kSill = 16;
CONSTANT int kMostFlow = 1 << 28;

// What a fall to a diagonal neighbour counts, against a straight one: at random between 1/2 and 1,
// so that water on a plane keeps its direction on the whole (Rho8, Fairfield & Leymarie 1991).
KERNEL float diagonalWeight(uint hash) {
  return reciprocal(2.0f - float(hash >> 8) * 5.9604645e-8f);
}

// Height that is lost in an iteration, for a drop to the receiver and the flow that passes.
KERNEL int incision(int drop, int flow, bool diagonal, FluvialParams params) {
  if (drop <= 0) return 0;
  float fall = float(drop) * params.inverse_cell;
  float slope = diagonal ? fall * 0.70710678f : fall;
  float area = max(float(flow) * 0.00390625f, 1.0f);
  float run = diagonal ? 1.41421356f : 1.0f;
  float carved = params.erodibility * power(area, params.area_exponent) * slope;
  float slid = (slope - params.talus) * run * 0.5f;
  float lost = min(max(carved, slid), fall * params.limit);
  return int(lost * params.cell);
}

KERNELS_END

#endif
