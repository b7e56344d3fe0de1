// A request for a file that describes a cell and those below it.
#pragma once

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "server/raster/raster_service.h"
#include "server/tile/tile_query.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/tileset_json.h"

namespace thalweg::tiles3d {

// The number of levels in a subtree's file.
inline constexpr int kSubtreeLevels = 4;

// The number of tiles in a quadtree with this number of levels.
constexpr int TilesOf(int levels) { return ((1 << (2 * levels)) - 1) / 3; }

// The bytes of a subtree (3D Tiles 1.1, "Subtree Binary Format"). bounds: for each tile that
// exists, level by level in Morton order; these levels are complete, and each tile has content. The
// bounds become the tiles' metadata, of the class "tile" of tileset.json. has_children: whether all
// subtrees below exist, or none.
std::string EncodeSubtree(std::span<const HeightBounds> bounds, bool has_children);

struct SubtreeQuery {
  // The query for the root's tile, with the layer of the ground.
  tile::TileQuery tile_query;
  Cell root;
  // With S2's cells the file is a subtree of implicit tiling, with boxes a tileset.
  Volumes volumes = Volumes::kS2;
};

// INVALID_ARGUMENT unless the world is a planet, and for S2's cells one like the Earth. NOT_FOUND
// unless the planet has the root and a subtree begins there.
absl::StatusOr<SubtreeQuery> ParseSubtreeQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& root, Volumes volumes);

// A text that decides the bytes.
std::string IdentityOf(const SubtreeQuery& query);

// The recipe of the file. The heights of the root's tile bound those of all tiles.
raster::Recipe RecipeOf(const SubtreeQuery& query);

}  // namespace thalweg::tiles3d
