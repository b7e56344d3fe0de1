// Pictures of the ground in its light.
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
  // The cover's colours; else the height's, or another layer over a grey relief.
  bool satellite = false;
  // The cover for a satellite picture.
  v1::Layer layer = v1::LAYER_HEIGHT;
  // Metres between pixels.
  double pixel_m = 1;
  // Absent: the world has no sea.
  std::optional<double> sea_level_m;
};

// Absent: the world has none.
std::optional<double> SeaLevelOf(const world::World& world);

// For a relief or a satellite picture.
ReliefStyle StyleOf(const RasterQuery& query);

// The layers, of those that a world has, that are drawn in a style, besides LAYER_NORMAL.
tile::LayerChoice LayersOf(const ReliefStyle& style, const world::World& world);

// A PNG of a grid with the style's layers and normals, which the compass turns. DATA_LOSS when it
// lacks one, INTERNAL when a library fails.
absl::StatusOr<std::string> PaintRelief(const ReliefStyle& style, const Compass& compass,
                                        const Grid& grid);

}  // namespace thalweg::raster
