// A mesh in the format quantized-mesh-1.0 (github.com/CesiumGS/quantized-mesh): a globe's ground
// for CesiumJS, Cesium for Unreal and Unity, and others.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "proto/geometry/cube_sphere.h"
#include "server/geographic/ellipsoid.h"

namespace thalweg::geographic {

// Coordinates in a tile are from 0 to this.
inline constexpr int kQuantizedMax = 32'767;

struct QuantizedVertex {
  // From west to east, from south to north, and from the header's min height to its max height.
  std::uint16_t u = 0;
  std::uint16_t v = 0;
  std::uint16_t height = 0;
};

struct QuantizedMesh {
  // In metres from the middle of the ellipsoid.
  sphere::Vector center;
  float min_height_m = 0;
  float max_height_m = 0;
  BoundingSphere sphere;
  // The horizon occlusion point, scaled by the semi-axes.
  sphere::Vector horizon;

  std::vector<QuantizedVertex> vertices;
  // Counterclockwise seen from outside. Vertices are numbered in the order of their first use by
  // triangles.
  std::vector<std::array<std::uint32_t, 3>> triangles;

  // Extensions. An empty one is left out.
  std::vector<std::array<std::uint8_t, 2>> normals;
  // 1 byte for the whole tile, or 256 x 256 from the north-west, row after row: 0 land, 255 water.
  std::string water_mask;
  // JSON.
  std::string metadata;
};

// The bytes of a tile. Indices have 32 bits if there are more than 65,536 vertices, else 16. The
// vertices on the tile's edges follow from u and v.
std::string Encode(const QuantizedMesh& mesh);

}  // namespace thalweg::geographic
