// A reader of quantized-mesh-1.0, written from its specification, independent of our encoder.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "proto/geometry/cube_sphere.h"

namespace thalweg::geographic {

struct DecodedMesh {
  sphere::Vector center;
  float min_height_m = 0;
  float max_height_m = 0;
  sphere::Vector sphere_center;
  double sphere_radius_m = 0;
  sphere::Vector horizon;
  std::vector<int> u;
  std::vector<int> v;
  std::vector<int> height;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  // In the order west, south, east, north.
  std::array<std::vector<std::uint32_t>, 4> edges;
  std::vector<std::array<std::uint8_t, 2>> normals;
  std::string water_mask;
  std::string metadata;
  // Whether indices had 32 bits.
  bool wide = false;

  double HeightM(std::size_t n) const {
    const auto min_m = static_cast<double>(min_height_m);
    return min_m + (static_cast<double>(max_height_m) - min_m) * height[n] / 32'767;
  }
};

// If the bytes are not a valid mesh, fails the test and returns what it has read so far.
DecodedMesh DecodeMesh(const std::string& bytes);

}  // namespace thalweg::geographic
