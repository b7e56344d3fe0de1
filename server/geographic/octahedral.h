// Unit vectors as two bytes.
#pragma once

#include <array>
#include <cstdint>

#include "proto/sphere/cube_sphere.h"

namespace thalweg::geographic {

// A unit vector, unfolded from an octahedron; each coordinate is from 0 (-1) to 255 (1). This is
// "oct16" of Cigolle et al. 2014, "A Survey of Efficient Representations for Independent Unit
// Vectors", as in the extension octvertexnormals of quantized-mesh-1.0.
std::array<std::uint8_t, 2> OctahedralOf(const sphere::Point& unit);

}  // namespace thalweg::geographic
