// A request for a tile of a planet as glTF.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/raster/recipe.h"
#include "server/tile/tile_query.h"
#include "server/tiles3d/cell.h"

namespace thalweg::tiles3d {

struct ContentQuery {
  // The query for the cell's tile, with the layers of the ground and of its picture.
  tile::TileQuery tile_query;
};

// INVALID_ARGUMENT unless the world is a planet, NOT_FOUND unless it has the cell.
absl::StatusOr<ContentQuery> ParseContentQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& cell);

// A text that decides the bytes.
std::string IdentityOf(const ContentQuery& query);

// The recipe of the content.
raster::Recipe RecipeOf(const ContentQuery& query);

}  // namespace thalweg::tiles3d
