// What a tile's URL asks for, checked.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "server/http/router.h"
#include "server/http/site.h"
#include "server/raster/raster_query.h"
#include "server/tile/tile_query.h"

namespace thalweg::http {

struct TileAddress {
  // The tile as it is, or a raster of it.
  std::variant<tile::TileQuery, raster::RasterQuery> query;
  // What decides the answer's bytes.
  std::string identity;
  std::string content_type;
  // Lines of headers that say how to read it.
  std::string headers = {};

  const tile::TileQuery& form() const;
  tile::TileQuery& form();
};

// Of a tile of this world, which is the route's. NOT_FOUND or OUT_OF_RANGE for what there is not:
// level, column, row, extension; INVALID_ARGUMENT for parameters.
absl::StatusOr<TileAddress> ParseTileAddress(world::WorldPointer world, const TileRoute& route,
                                             const ParameterList& list);

}  // namespace thalweg::http
