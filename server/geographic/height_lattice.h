// Quantizes heights alike in neighbouring tiles.
#pragma once

#include <cstdint>

namespace thalweg::geographic {

// The quantized-mesh form has a tile's heights in 32,767 steps of the tile's own range, so shared
// edges would differ. Therefore all heights of a zoom are put on one lattice, whose step is a power
// of two in metres. A tile's step is the lattice's step, or a half, a quarter, ... of it: heights
// of the lattice are exact in each tile.

// The lattice's step for meshes that may have this error: at most a quarter of the error, and from
// 2^-8 m to 1 m.
double HeightStepM(double error_m);

// A height of a layer, in 1/65,536 m, as metres on the lattice: the nearest height, halves upwards.
// The step must be a power of two, at least 2^-16 m.
double OnLatticeM(std::int32_t height, double step_m);

// The heights in a tile's header. A vertex's height is `min_m` + quantized * `step_m`.
struct HeightRange {
  float min_m = 0;
  float max_m = 0;
  double step_m = 0;
};

// The range for heights of a lattice from `min_m` to `max_m`. If they are at most 32,767 lattice
// steps apart, each height of the lattice between them is one of the range's steps. A larger range
// has longer steps, and neighbours differ by up to half of one. min_m and max_m are exact as 32-bit
// floats for heights up to 16,384 m.
HeightRange RangeOf(double min_m, double max_m, double lattice_step_m);

}  // namespace thalweg::geographic
