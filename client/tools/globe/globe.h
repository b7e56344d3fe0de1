// Planets: values at points of them, and views from space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/geometry/cube_sphere.h"
#include "thalweg/client.h"
#include "thalweg/sample.h"

namespace thalweg::globe {

// Values at points of a planet.
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
                                     std::span<const sphere::Vector> points,
                                     const RegionProgressCallback& progress = nullptr);

// Returns rectangles that have each of the tiles once, and no others. Keys must be in the order of
// faces, rows and columns.
std::vector<TileRectangle> RectanglesOf(std::span<const TileKey> keys);

// A pixel that shows the planet.
struct DiscPoint {
  int x = 0;
  int y = 0;
  // A point on the unit sphere, and the picture's directions right and up there, of length 1. The
  // directions are carried along the great circle from the disc's middle.
  sphere::Vector at;
  sphere::Vector right;
  sphere::Vector up;
  // The cosine of the angle to the line of sight: 1 in the middle, 0 at the edge.
  double facing = 1;
  // The part of the pixel that the planet covers, 0 to 1.
  float share = 1;
};

// A square picture of a planet as seen from far away, an orthographic view of half of it, with a
// place in the middle and north up (at a pole, as CompassAt).
struct Disc {
  LatLong middle;
  int size = 0;

  // The disc's radius in pixels: a fiftieth of the picture stays free on each side.
  double Radius() const { return 0.48 * size; }
  // Returns the disc's points, row by row.
  std::vector<DiscPoint> Points() const;
};

// Returns the coarsest level whose cells, in the disc's middle, are no larger than its pixels.
int LevelOf(const Disc& disc);

}  // namespace thalweg::globe
