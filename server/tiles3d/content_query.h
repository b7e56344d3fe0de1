// A request for a tile of a planet as glTF.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/raster/raster_service.h"
#include "server/tile/tile_query.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/content_mesh.h"

namespace thalweg::tiles3d {

// A tile's mesh and picture as binary glTF 2.0: the content of 3D Tiles 1.1. The bytes of a file.
// It has one node, at the mesh's origin in doubles, scaled by the mesh's step. Positions and
// normals are 16- and 8-bit numbers (KHR_mesh_quantization). glTF's y points up, and 3D Tiles turn
// it to z (3D Tiles 1.1, "glTF transforms"): x, y, z here are x, z, -y there. The picture, a shaded
// PNG of 257 x 257 pixels, is shown unlit (KHR_materials_unlit). `extras`: a JSON object, which
// becomes asset.extras.
std::string EncodeContent(const ContentMesh& mesh, const std::string& png,
                          const std::string& extras);

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
