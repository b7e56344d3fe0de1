// A raster's values to its bytes.
#pragma once

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "proto/picture/image.h"
#include "server/raster/grid.h"
#include "server/raster/raster_query.h"
#include "server/raster/recipe.h"

namespace thalweg::raster {

// Equal queries of equal values give equal bytes. DATA_LOSS when the grid lacks a layer that is
// drawn, INTERNAL when a library fails.
absl::StatusOr<std::string> Render(const RasterQuery& query, const Grid& grid);

// What a raster is made of, and how. The identity is IdentityOf's.
Recipe RecipeOf(const RasterQuery& query);

// A picture as PNG.
absl::StatusOr<std::string> ColorPng(const picture::Image& image);

}  // namespace thalweg::raster
