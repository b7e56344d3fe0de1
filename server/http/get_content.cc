#include "server/http/get_content.h"

#include "proto/wire/status_macros.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "server/tiles3d/content_query.h"

namespace thalweg::http {
namespace {

absl::StatusOr<TileAddress> ParseContentAddress(const world::WorldPointer& world,
                                                const ContentRoute& route, const Exchange& exchange,
                                                const ParameterList& list) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(list, {}).status());
  THALWEG_ASSIGN_OR_RETURN(tiles3d::ContentQuery query,
                           tiles3d::ParseContentQuery(world, route.cell));
  return Compressed(AddressOf(query, "model/gltf-binary"), exchange.Header("Accept-Encoding"));
}

}  // namespace

void HandleGetContent(const Site& site, const ContentRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters) {
  AnswerTile(site, route.world, exchange,
             [route, exchange, parameters](const world::WorldPointer& world) {
               return ParseContentAddress(world, route, *exchange, parameters);
             });
}

}  // namespace thalweg::http
