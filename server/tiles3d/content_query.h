// A tile of a planet, wanted as glTF.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/raster/recipe.h"
#include "server/tile/tile_query.h"
#include "server/tiles3d/cell.h"

namespace thalweg::tiles3d {

struct ContentQuery {
  // Of the cell's tile, with the layers of the ground and of the picture on it.
  tile::TileQuery tile_query;
};

// INVALID_ARGUMENT unless the world is a planet, NOT_FOUND unless it has the cell.
absl::StatusOr<ContentQuery> ParseContentQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& cell);

// What decides the bytes, as text.
std::string IdentityOf(const ContentQuery& query);

// How to make it.
raster::Recipe RecipeOf(const ContentQuery& query);

}  // namespace thalweg::tiles3d
