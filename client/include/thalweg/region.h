// SPDX-License-Identifier: Apache-2.0

// Rectangles of vertices, put together from tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "thalweg/layer.h"

namespace thalweg {

// Max vertices on a side of a region.
inline constexpr int kMaxRegionSide = 16'384;

// A rectangle of vertices of one level of a world.
struct RegionRequest {
  // The world's name, or its id in hexadecimal.
  std::string world;
  int level = 0;
  // The face: 0 to 5 on a planet, 0 on a plane. A planet's face has vertices 0 to 256 x 2^level
  // along each axis.
  int face = 0;
  // The north-west vertex.
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  // Vertices from west to east and from north to south, 1 to kMaxRegionSide each.
  int width = 0;
  int height = 0;
  std::vector<Layer> layers = {Layer::kHeight};
  Precision precision = Precision::kExact;
  Priority priority = Priority::kInteractive;
};

// One layer of a region.
struct RegionPlane {
  Layer layer = Layer::kHeight;
  // width x height values, rows from north to south, each from west to east, in the layer's unit.
  std::vector<std::int32_t> values;
};

// A rectangle of vertices, decoded.
struct Region {
  int level = 0;
  int face = 0;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  int width = 0;
  int height = 0;
  // In the order of the request.
  std::vector<RegionPlane> planes;
  // How many tiles were fetched, and the total size of their messages.
  std::int64_t tiles = 0;
  std::size_t wire_bytes = 0;
};

// The progress of FetchRegion.
struct RegionProgress {
  std::int64_t tiles_done = 0;
  std::int64_t tiles = 0;
  std::size_t wire_bytes = 0;
};

// Called after each tile, on the thread that called FetchRegion.
using RegionProgressCallback = std::function<void(const RegionProgress&)>;

}  // namespace thalweg
