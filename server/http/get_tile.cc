#include "server/http/get_tile.h"

#include <utility>

#include "server/http/tile_address.h"
#include "server/http/tile_call.h"

namespace thalweg::http {

void HandleGetTile(const Site& site, const TileRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters) {
  AnswerTile(site, route.world, exchange, [route, parameters](world::WorldPointer world) {
    return ParseTileAddress(std::move(world), route, parameters);
  });
}

}  // namespace thalweg::http
