// What a tile's URL asks for, checked.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/http/content_coding.h"
#include "server/http/router.h"
#include "server/http/site.h"
#include "server/raster/recipe.h"
#include "server/tile/tile_query.h"

namespace thalweg::http {

struct TileAddress {
  // The native tile; or of the tiles that the answer is made of, whose world and payer count.
  tile::TileQuery tile_query;
  // How the answer is made, once it is known who pays; null: it is the native tile.
  std::function<raster::Recipe(const tile::TileQuery& paid)> recipe = nullptr;
  // Decides the answer's bytes.
  std::string identity;
  std::string content_type;
  // Lines of headers that say how to read it.
  std::string headers = {};
  // How the bytes are compressed, which is part of the identity.
  Coding coding = Coding::kIdentity;
};

// The address of what a query is made into.
template <typename Query>
TileAddress AddressOf(const Query& query, std::string_view content_type) {
  const auto recipe = [query](const tile::TileQuery& paid) {
    Query made = query;
    made.tile_query = paid;
    return RecipeOf(made);
  };
  return {query.tile_query, recipe, IdentityOf(query), std::string(content_type)};
}

// The same, compressed as a value of Accept-Encoding allows. `vary` names other headers that the
// answer varies by.
TileAddress Compressed(TileAddress address, std::string_view accept_encoding,
                       std::string_view vary = "Accept-Encoding");

// The address of a tile of this world, which is the route's. NOT_FOUND or OUT_OF_RANGE for a level,
// column, row or extension that does not exist; INVALID_ARGUMENT for parameters.
absl::StatusOr<TileAddress> ParseTileAddress(world::WorldPointer world, const TileRoute& route,
                                             const ParameterList& list);

}  // namespace thalweg::http
