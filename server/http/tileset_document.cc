#include "server/http/tileset_document.h"

#include <string>

#include "proto/wire/status_macros.h"
#include "server/geographic/tiling.h"
#include "server/http/document.h"
#include "server/http/parameters.h"
#include "server/tiles3d/tileset_json.h"

namespace thalweg::http {
namespace {

absl::StatusOr<std::string> TilesetOf(const world::World& world, const TilesetRoute& route,
                                      const ParameterList& list) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(list, {}).status());
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(world));
  return tiles3d::TilesetJson(
      world, route.boxes ? tiles3d::Volumes::kBoxes : tiles3d::UsualVolumes(world));
}

}  // namespace

void HandleTileset(const Site& site, const TilesetRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters) {
  AnswerOfWorld(site, route.world, exchange, [route, parameters](const world::World& world) {
    return TilesetOf(world, route, parameters);
  });
}

}  // namespace thalweg::http
