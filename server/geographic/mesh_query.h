// A tile of a planet's ground, wanted as a quantized mesh.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/geographic/tiling.h"
#include "server/raster/recipe.h"
#include "server/tile/tile_query.h"

namespace thalweg::geographic {

// What a tile says beyond its mesh.
struct MeshExtensions {
  bool normals = false;
  bool water_mask = false;
  bool metadata = false;

  friend bool operator==(const MeshExtensions&, const MeshExtensions&) = default;
};

// Tiles of every so manieth zoom, from 0 on, tell in their metadata which tiles there are below
// them up to the next such zoom: `metadataAvailability` of layer.json.
inline constexpr int kMetadataZooms = 10;

struct MeshQuery {
  // World, and who asks and pays. The rest is not used.
  tile::TileQuery form;
  // Rows count from the south.
  GlobeTile tile;
  MeshExtensions extensions;
};

int MaxMeshZoom(const world::World& world);

// INVALID_ARGUMENT unless the form's world is a planet, NOT_FOUND unless its pyramid has the tile.
absl::StatusOr<MeshQuery> ParseMeshQuery(tile::TileQuery form, const GlobeTile& tile,
                                         const MeshExtensions& extensions);

// What decides the mesh's bytes, as text.
std::string IdentityOf(const MeshQuery& query);

// What it is made of, and how: the surface that one sees, of land and of standing water.
raster::Recipe RecipeOf(const MeshQuery& query);

}  // namespace thalweg::geographic
