#include "server/tiles3d/subtree_query.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/tiling.h"
#include "server/tiles3d/ground.h"
#include "server/tiles3d/subtree_file.h"

namespace thalweg::tiles3d {
namespace {

// The version of the code that turns values into these bytes. Raise it with every change of them.
constexpr int kSubtreeVersion = 1;

// The even bits of a number on the Morton curve: a cell's column; of the number shifted by one, its
// row.
std::int64_t EvenBits(int morton) {
  std::int64_t bits = 0;
  for (int bit = 0; bit < kSubtreeLevels; ++bit) {
    bits |= std::int64_t{(morton >> (2 * bit)) & 1} << bit;
  }
  return bits;
}

std::string SubtreeFile(const SubtreeQuery& query, const SubtreeHeights& heights) {
  const int below = query.tile_query.world->levels() - query.root.level;
  std::vector<HeightBounds> bounds;
  for (int level = 0; level < std::min(kSubtreeLevels, below); ++level) {
    for (int morton = 0; morton < 1 << (2 * level); ++morton) {
      bounds.push_back(
          heights.Of(Below(query.root, level, EvenBits(morton), EvenBits(morton >> 1))));
    }
  }
  return EncodeSubtree(bounds, below > kSubtreeLevels);
}

absl::StatusOr<std::string> BytesOf(const SubtreeQuery& query,
                                    std::span<const tile::TileContents> tiles) {
  THALWEG_ASSIGN_OR_RETURN(const auto planes, tiles[0].Planes(query.tile_query));
  const world::World& world = *query.tile_query.world;
  const SubtreeHeights heights(world, query.root, planes[0]);
  return query.volumes == Volumes::kS2 ? SubtreeFile(query, heights)
                                       : ExternalTilesetJson(world, query.root, heights);
}

}  // namespace

absl::StatusOr<SubtreeQuery> ParseSubtreeQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& root, Volumes volumes) {
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckVolumes(*world, volumes));
  THALWEG_RETURN_IF_ERROR(CheckCell(root, *world));
  if (root.level % kSubtreeLevels != 0) {
    return wire::Invalid("level", absl::StrCat("a multiple of ", kSubtreeLevels), root.level,
                         absl::StatusCode::kNotFound);
  }
  SubtreeQuery query{.tile_query = {.world = world,
                                    .key = TileOf(root),
                                    .layers = tile::LayerChoice::None(),
                                    .precision = v1::PRECISION_EXACT},
                     .root = root,
                     .volumes = volumes};
  query.tile_query.layers.Add(SurfaceOf(*world));
  return query;
}

std::string IdentityOf(const SubtreeQuery& query) {
  const Cell& root = query.root;
  return absl::StrCat("3d subtree ", kSubtreeVersion, " ", query.tile_query.world->hex_id(), " ",
                      root.face, " ", root.level, " ", root.x, " ", root.y, " ",
                      static_cast<int>(query.volumes));
}

raster::Recipe RecipeOf(const SubtreeQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles = [query] { return std::vector<tile::TileQuery>{query.tile_query}; },
      .make = [query](std::span<const tile::TileContents> tiles) { return BytesOf(query, tiles); }};
}

}  // namespace thalweg::tiles3d
