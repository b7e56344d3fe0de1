// Shaded relief: heights to a picture. Pure functions; the same heights give the same picture
// whatever the number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "proto/picture/image.h"
#include "proto/picture/light.h"
#include "proto/picture/ramp.h"
#include "thalweg/layer.h"

namespace thalweg::picture {

// A rectangle of vertices, rows from north to south, each from west to east.
struct HeightGrid {
  // width x height values in 1/65,536 m.
  std::span<const std::int32_t> q16;
  int width = 0;
  int height = 0;
  double cell_size_m = 1;
};

struct ReliefOptions {
  // The land's ramp begins here. Lower ground is sea, unless the depth is given.
  std::optional<double> sea_level_m = std::nullopt;
  // Empty, or as many values as heights, in 1/65,536 m: where it is above 0, water stands.
  std::span<const std::int32_t> water_depth = {};
  // Empty, or as many values as heights: rivers are drawn over the ground.
  std::span<const std::int32_t> flow = {};
  // 0: as many as the machine has.
  int threads = 0;
};

// The slope at a vertex by Horn's weights over its eight neighbours; beyond the border the border's
// values are used.
Slope SlopeAt(const HeightGrid& grid, int x, int y);

// A relief with hypsometric tints, in multidirectional light, its valleys a little darker than its
// ridges; width x height pixels.
Image RenderRelief(const HeightGrid& grid, const ReliefOptions& options);

// A layer to draw over a relief.
struct LayerGrid {
  Layer layer = Layer::kFlow;
  // As many values as heights.
  std::span<const std::int32_t> values;
  // For directions to the shore: empty, or as many distances; those where no shore was found are
  // left bare.
  std::span<const std::int32_t> shore_distance = {};
};

// The cover of the ground in the relief's light, seen from above. `cover` has as many values as
// heights, `water_depth` too, or none.
Image RenderSatellite(const HeightGrid& grid, std::span<const std::int32_t> cover,
                      std::span<const std::int32_t> water_depth, int threads = 0);

// A grey relief under the colours of another layer.
Image RenderLayer(const HeightGrid& grid, const LayerGrid& layer, int threads = 0);

}  // namespace thalweg::picture
