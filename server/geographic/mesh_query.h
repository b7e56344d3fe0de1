// A tile of a planet's ground, wanted as a quantized mesh.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/geographic/tiling.h"
#include "server/raster/recipe.h"
#include "server/tile/tile_query.h"

namespace thalweg::geographic {

// What a tile has beyond its mesh.
struct MeshExtensions {
  bool normals = false;
  bool water_mask = false;
  bool metadata = false;

  friend bool operator==(const MeshExtensions&, const MeshExtensions&) = default;
};

// Tiles of zoom 0, and of every 10th zoom after it, list in their metadata the tiles below them
// down to the next such zoom: `metadataAvailability` of layer.json.
inline constexpr int kMetadataZooms = 10;

struct MeshQuery {
  // Of all its tiles; their faces, columns and rows are filled in.
  tile::TileQuery tile_query;
  // Rows count from the south.
  GlobeTile tile;
  MeshExtensions extensions;
};

int MaxMeshZoom(const world::World& world);

// INVALID_ARGUMENT unless the world is a planet, NOT_FOUND unless its pyramid has the tile.
absl::StatusOr<MeshQuery> ParseMeshQuery(const std::shared_ptr<const world::World>& world,
                                         const GlobeTile& tile, const MeshExtensions& extensions);

// What decides the mesh's bytes, as text.
std::string IdentityOf(const MeshQuery& query);

// How to make it: the visible surface, of land and of standing water.
raster::Recipe RecipeOf(const MeshQuery& query);

}  // namespace thalweg::geographic
