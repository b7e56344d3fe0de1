// Heights that neighbouring tiles quantize alike.
#pragma once

#include <cstdint>

namespace thalweg::geographic {

// The quantized-mesh form has a tile's heights in 32,767 steps of the tile's own range, so shared
// edges would differ. So all heights of a zoom are put on one lattice, whose step is a power of two
// in metres, and a tile's range is a number of steps of the lattice, or of a half, a quarter, ...
// of it: heights of the lattice are exact in each tile.

// The lattice's step for meshes that may be this far from the ground: a quarter of that at most,
// from 2^-8 m to 1 m.
double HeightStepM(double error_m);

// A height of a layer, in 1/65,536 m, as metres on the lattice: the nearest, upwards from the
// middle. The step is a power of two, 2^-16 m or more.
double OnLatticeM(std::int32_t height, double step_m);

// A tile's header: heights are `min_m` + quantized * `step_m`.
struct HeightRange {
  float min_m = 0;
  float max_m = 0;
  double step_m = 0;
};

// For heights of a lattice from `min_m` to `max_m`. The range is at most 32,767 of its steps. A
// range of max 32,767 lattice steps has all heights of the lattice among its steps. A larger range
// has not, and neighbours differ by up to half a step of the range. Minimum and maximum are exact
// as 32-bit floats for heights of up to 16,384 m.
HeightRange RangeOf(double min_m, double max_m, double lattice_step_m);

}  // namespace thalweg::geographic
