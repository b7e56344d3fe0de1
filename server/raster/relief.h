// Pictures of the ground, shaded by light.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "server/raster/compass.h"
#include "server/raster/grid.h"
#include "server/world/world.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

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
tile::LayerChoice LayersOf(const ReliefStyle& style, const world::World& world);

// A PNG of a grid that has the style's layers and normals, which the compass turns. DATA_LOSS if
// one is missing, INTERNAL if a library fails.
absl::StatusOr<std::string> PaintRelief(const ReliefStyle& style, const Compass& compass,
                                        const Grid& grid);

}  // namespace thalweg::raster
