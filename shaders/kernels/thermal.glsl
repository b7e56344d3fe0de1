// Slopes over the angle of repose slide (Musgrave, Kolb & Mace 1989): a part of the largest excess goes
// to the neighbour with that excess. Directions 0 to 7 turn from east over south; odd ones are diagonals.
#ifndef THALWEG_KERNELS_THERMAL
#define THALWEG_KERNELS_THERMAL

#include "exact.glsl"

KERNELS_BEGIN

struct ThermalParams {
  // The largest stable difference to a neighbour, in height units: straight, diagonal.
  int talus;
  int diagonal_talus;
  // Part of the excess that moves.
  float rate;
};

// The step to the neighbour in a direction; no step for direction 8. Two bits of each constant are a step plus 1.
KERNEL ivec2 neighbour(int direction) {
  int shift = 2 * direction;
  return ivec2(((0x1901a >> shift) & 3) - 1, ((0x101a9 >> shift) & 3) - 1);
}

// How low a neighbour may stand before the ground slides to it. No ground is lower than this can be, so a neighbour's
// height subtracted from it never overflows.
KERNEL int lowestAtRest(int ground, int stable) { return max(ground - stable, -kHighestGround); }

// A slide: its amount times 8, plus its direction. Differences stay under 2^28.
KERNEL int packedSlide(int amount, int direction) { return (amount << 3) | direction; }
KERNEL int slideAmount(int slide) { return slide >> 3; }
KERNEL int slideDirection(int slide) { return slide & 7; }

// Turns a slide's direction by quarter turns.
KERNEL int turnedSlide(int slide, int turns) {
  return packedSlide(slideAmount(slide), (slideDirection(slide) + 2 * turns) & 7);
}

KERNEL int slideOf(int best_excess, int direction, ThermalParams params) {
  return packedSlide(int(float(min(best_excess, 1 << 28)) * params.rate), direction);
}

KERNELS_END

#endif
