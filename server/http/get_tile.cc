#include "server/http/get_tile.h"

#include <utility>

#include "server/http/find_world.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"

namespace thalweg::http {

void HandleGetTile(const Site& site, const TileRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters) {
  FindWorld(site, route.world, exchange,
            [&site, route, exchange, parameters](world::WorldPointer world) {
              AnswerTile(site, route.world, exchange,
                         ParseTileAddress(std::move(world), route, parameters));
            });
}

}  // namespace thalweg::http
