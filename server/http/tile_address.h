// What a tile's URL asks for, checked.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "server/geographic/mesh_query.h"
#include "server/geographic/picture_query.h"
#include "server/http/content_coding.h"
#include "server/http/router.h"
#include "server/http/site.h"
#include "server/raster/raster_query.h"
#include "server/tile/tile_query.h"
#include "server/tiles3d/content_query.h"
#include "server/tiles3d/subtree_query.h"

namespace thalweg::http {

struct TileAddress {
  // The native tile, a raster of it, or a recipe over tiles of a planet.
  std::variant<tile::TileQuery, raster::RasterQuery, geographic::MeshQuery,
               geographic::PictureQuery, tiles3d::ContentQuery, tiles3d::SubtreeQuery>
      query;
  // Decides the answer's bytes.
  std::string identity;
  std::string content_type;
  // Lines of headers that say how to read it.
  std::string headers = {};
  // How the bytes are compressed, which is part of the identity.
  Coding coding = Coding::kIdentity;

  // The query for a tile that all kinds of queries have.
  tile::TileQuery& tile_query();
};

// The same, compressed as a value of Accept-Encoding allows. `vary` names other headers that the
// answer varies by.
TileAddress Compressed(TileAddress address, std::string_view accept_encoding,
                       std::string_view vary = "Accept-Encoding");

// The address of a tile of this world, which is the route's. NOT_FOUND or OUT_OF_RANGE for a level,
// column, row or extension that does not exist; INVALID_ARGUMENT for parameters.
absl::StatusOr<TileAddress> ParseTileAddress(world::WorldPointer world, const TileRoute& route,
                                             const ParameterList& list);

}  // namespace thalweg::http
