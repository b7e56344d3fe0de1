// A request for a tile of a planet's ground as a quantized mesh.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/geographic/tiling.h"
#include "server/raster/raster_service.h"
#include "server/tile/tile_query.h"

namespace thalweg::geographic {

// The extensions that a tile has besides its mesh.
struct MeshExtensions {
  bool normals = false;
  bool water_mask = false;
  bool metadata = false;

  friend bool operator==(const MeshExtensions&, const MeshExtensions&) = default;
};

// The metadata of tiles at zoom 0, and at every 10th zoom after it, lists the tiles below down to
// the next such zoom: `metadataAvailability` of layer.json.
inline constexpr int kMetadataZooms = 10;

struct MeshQuery {
  // The query for all its native tiles, without face, column and row.
  tile::TileQuery tile_query;
  // Rows count from the south.
  GlobeTile tile;
  MeshExtensions extensions;
};

int MaxMeshZoom(const world::World& world);

// INVALID_ARGUMENT unless the world is a planet, NOT_FOUND unless its pyramid has the tile.
absl::StatusOr<MeshQuery> ParseMeshQuery(const std::shared_ptr<const world::World>& world,
                                         const GlobeTile& tile, const MeshExtensions& extensions);

// A text that decides the mesh's bytes.
std::string IdentityOf(const MeshQuery& query);

// The recipe of the mesh: the visible surface, of land and of standing water.
raster::Recipe RecipeOf(const MeshQuery& query);

}  // namespace thalweg::geographic
