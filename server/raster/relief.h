// Pictures of the ground, shaded by light.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/picture/shade.h"
#include "server/raster/layer_grid.h"
#include "server/raster/raster_query.h"
#include "server/world/world.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// Directions in a raster of a planet. A raster's normals are along the axes of its face, which
// differ from those of neighbouring faces.
class Compass {
 public:
  // For normals that are along east and south already.
  Compass() = default;
  // For the raster's pixels.
  explicit Compass(const RasterQuery& query);

  // Turns a pixel's normal from the axes of its face to the planet's east and south. On a plane
  // they are the same. At a pole, east is that of longitude 0.
  picture::UnitNormal Turned(const picture::UnitNormal& normal, int x, int y) const;

 private:
  bool is_planet_ = false;
  sphere::FaceAxes axes_;
  // The positions of columns and rows on the cube, from -1 to 1.
  std::vector<double> columns_;
  std::vector<double> rows_;
};

struct ReliefStyle {
  // True: the cover's colours. False: the height's colours, or another layer over a grey relief.
  bool satellite = false;
  // The cover for a satellite picture.
  v1::Layer layer = v1::LAYER_HEIGHT;
  // The distance of pixels in metres.
  double pixel_m = 1;
  // Absent if the world has no sea.
  std::optional<double> sea_level_m;
};

// Absent if the world has no sea.
std::optional<double> SeaLevelOf(const world::World& world);

// The style of a relief or a satellite picture.
ReliefStyle StyleOf(const RasterQuery& query);

// The layers that are drawn in a style, of those that the world has, besides LAYER_NORMAL.
tile::LayerChoice ReliefLayers(const ReliefStyle& style, const world::World& world);

// A PNG of a grid that has the style's layers and normals, which the compass turns. DATA_LOSS if
// one is missing, INTERNAL if a library fails.
absl::StatusOr<std::string> PaintRelief(const ReliefStyle& style, const Compass& compass,
                                        const LayerGrid& grid);

}  // namespace thalweg::raster
