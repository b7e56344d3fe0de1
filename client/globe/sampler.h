// Values at points of a planet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/sphere/cube_sphere.h"
#include "thalweg/client.h"

namespace thalweg::globe {

struct SampleRequest {
  std::string world;
  // The level whose vertices are read.
  int level = 0;
  std::vector<Layer> layers = {Layer::kHeight};
  Priority priority = Priority::kInteractive;
};

struct Samples {
  // A value for each point, in the order of the layers. It is bilinear between the four vertices of
  // the point's cell, rounded down; for packed values and angles it is the nearest vertex's.
  std::vector<RegionPlane> planes;
  // The tiles that were fetched, and their bytes.
  std::int64_t tiles = 0;
  std::size_t wire_bytes = 0;
};

// Streams each tile under the points once. Points are directions from the planet's middle, of any
// length above 0. Errors: the client's; OUT_OF_RANGE for a level that the planet does not have.
absl::StatusOr<Samples> SamplePoints(Client& client, const SampleRequest& request,
                                     std::span<const sphere::Point> points,
                                     const RegionProgressCallback& progress = nullptr);

// Returns rectangles that have each of the tiles once, and no others. Keys must be in the order of
// faces, rows and columns.
std::vector<TileRectangle> RectanglesOf(std::span<const TileKey> keys);

}  // namespace thalweg::globe
