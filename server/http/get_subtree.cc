#include "server/http/get_subtree.h"

#include "proto/wire/status_macros.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "server/tiles3d/subtree_query.h"

namespace thalweg::http {
namespace {

absl::StatusOr<TileAddress> ParseSubtreeAddress(const world::WorldPointer& world,
                                                const SubtreeRoute& route, const Exchange& exchange,
                                                const ParameterList& list) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(list, {}).status());
  const bool json = route.extension == "json";
  THALWEG_ASSIGN_OR_RETURN(
      tiles3d::SubtreeQuery query,
      tiles3d::ParseSubtreeQuery(world, route.root,
                                 json ? tiles3d::Volumes::kBoxes : tiles3d::Volumes::kS2));
  return Compressed(AddressOf(query, json ? "application/json" : "application/octet-stream"),
                    exchange.Header("Accept-Encoding"));
}

}  // namespace

void HandleGetSubtree(const Site& site, const SubtreeRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters) {
  AnswerTile(site, route.world, exchange,
             [route, exchange, parameters](const world::WorldPointer& world) {
               return ParseSubtreeAddress(world, route, *exchange, parameters);
             });
}

}  // namespace thalweg::http
