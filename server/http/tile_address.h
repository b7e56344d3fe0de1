// Parses and checks a tile's URL.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/http/content_coding.h"
#include "server/http/parameters.h"
#include "server/http/router.h"
#include "server/http/site.h"
#include "server/raster/raster_query.h"
#include "server/raster/raster_service.h"
#include "server/tile/tile_query.h"

namespace thalweg::http {

struct TileAddress {
  // The native tile. For other answers only world and payer are used.
  tile::TileQuery tile_query;
  // How the answer is made, when the payer is known; null for the native tile.
  std::function<raster::Recipe(const tile::TileQuery& paid)> recipe = nullptr;
  // A text that decides the answer's bytes.
  std::string identity;
  std::string content_type;
  // Lines of headers that say how to read the answer.
  std::string headers = {};
  // How the bytes are compressed; part of the identity.
  Coding coding = Coding::kIdentity;
};

// The address of an answer that is made from a query.
template <typename Query>
TileAddress AddressOf(const Query& query, std::string_view content_type) {
  const auto recipe = [query](const tile::TileQuery& paid) {
    Query made = query;
    made.tile_query = paid;
    return RecipeOf(made);
  };
  return {query.tile_query, recipe, IdentityOf(query), std::string(content_type)};
}

// The same address, compressed as a value of Accept-Encoding allows. `vary` names all headers that
// the answer depends on.
TileAddress Compressed(TileAddress address, std::string_view accept_encoding,
                       std::string_view vary = "Accept-Encoding");

// Where a map's pixels have their values: "registration", else what readers of the format expect.
// INVALID_ARGUMENT for another text, and for centres of pictures.
absl::StatusOr<raster::Registration> ParseRegistration(const Parameters& parameters,
                                                       raster::Format format);

// The address of a tile of this world, by its key or as an XYZ tile of web maps. NOT_FOUND or
// OUT_OF_RANGE for a level, column, row or extension that does not exist; INVALID_ARGUMENT for
// invalid parameters.
absl::StatusOr<TileAddress> ParseTileAddress(const world::WorldPointer& world,
                                             const PathValues& path, const ParameterList& list);
absl::StatusOr<TileAddress> ParseMapTileAddress(const world::WorldPointer& world,
                                                const PathValues& path, const ParameterList& list);

}  // namespace thalweg::http
