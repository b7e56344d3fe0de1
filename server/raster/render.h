// Turns a raster's values into its bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "proto/picture/image.h"
#include "server/raster/layer_grid.h"
#include "server/raster/raster_query.h"
#include "server/raster/raster_service.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// A mapbox pixel, red first: height_m = (r * 65,536 + g * 256 + b) / 10 - 10,000. Heights below
// -10,000 m become -10,000 m. It depends only on the height, so that shared vertices stay equal,
// and rounds to the nearest value, halves upwards, as picture::TerrariumOf does.
std::uint32_t MapboxOf(std::int32_t height);

// A grey level, limited to 0 to 65,535. It depends only on the value, and rounds as MapboxOf does.
std::uint16_t GreyOf(std::int32_t value, const v1::GreyScale& scale);

// Equal queries and values give equal bytes. DATA_LOSS if the grid lacks a layer that is drawn,
// INTERNAL if a library fails.
absl::StatusOr<std::string> Render(const RasterQuery& query, const LayerGrid& grid);

// The recipe of a raster; its identity is that of IdentityOf.
Recipe RecipeOf(const RasterQuery& query);

// A picture as PNG.
absl::StatusOr<std::string> ColorPng(const picture::Image& image);

}  // namespace thalweg::raster
