// Turns a raster's values into its bytes.
#pragma once

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "proto/picture/image.h"
#include "server/raster/grid.h"
#include "server/raster/raster_query.h"
#include "server/raster/recipe.h"

namespace thalweg::raster {

// Equal queries and values give equal bytes. DATA_LOSS if the grid lacks a layer that is drawn,
// INTERNAL if a library fails.
absl::StatusOr<std::string> Render(const RasterQuery& query, const Grid& grid);

// The recipe of a raster; its identity is that of IdentityOf.
Recipe RecipeOf(const RasterQuery& query);

// A picture as PNG.
absl::StatusOr<std::string> ColorPng(const picture::Image& image);

}  // namespace thalweg::raster
