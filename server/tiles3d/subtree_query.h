// A file that describes a cell and those below it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/raster/recipe.h"
#include "server/tile/tile_query.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/tileset_json.h"

namespace thalweg::tiles3d {

struct SubtreeQuery {
  // Of the root's tile, with its ground.
  tile::TileQuery tile_query;
  Cell root;
  // S2's cells: a subtree of implicit tiling. Boxes: a tileset.
  Volumes volumes = Volumes::kS2;
};

// INVALID_ARGUMENT unless the world is a planet, and for S2's cells one like the Earth;
// NOT_FOUND unless the planet has the root and a subtree begins there.
absl::StatusOr<SubtreeQuery> ParseSubtreeQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& root, Volumes volumes);

// What decides the bytes, as text.
std::string IdentityOf(const SubtreeQuery& query);

// How to make it: from the root's tile, whose heights bound those of all.
raster::Recipe RecipeOf(const SubtreeQuery& query);

}  // namespace thalweg::tiles3d
