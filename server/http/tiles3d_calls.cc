#include "server/http/tiles3d_calls.h"

#include <string>

#include "proto/wire/status_macros.h"
#include "server/geographic/tiling.h"
#include "server/http/document.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "server/tiles3d/content_query.h"
#include "server/tiles3d/subtree_query.h"
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

absl::StatusOr<TileAddress> ParseContentAddress(const world::WorldPointer& world,
                                                const ContentRoute& route, const Exchange& exchange,
                                                const ParameterList& list) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(list, {}).status());
  THALWEG_ASSIGN_OR_RETURN(tiles3d::ContentQuery query,
                           tiles3d::ParseContentQuery(world, route.cell));
  return Compressed(AddressOf(query, "model/gltf-binary"), exchange.Header("Accept-Encoding"));
}

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

void HandleTileset(const Site& site, const TilesetRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters) {
  AnswerOfWorld(site, route.world, exchange,
                [route, parameters](const world::World& world, const BaseUrl&) {
                  return TilesetOf(world, route, parameters);
                });
}

void HandleGetContent(const Site& site, const ContentRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters) {
  AnswerTile(site, route.world, exchange,
             [route, exchange, parameters](const world::WorldPointer& world) {
               return ParseContentAddress(world, route, *exchange, parameters);
             });
}

void HandleGetSubtree(const Site& site, const SubtreeRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters) {
  AnswerTile(site, route.world, exchange,
             [route, exchange, parameters](const world::WorldPointer& world) {
               return ParseSubtreeAddress(world, route, *exchange, parameters);
             });
}

}  // namespace thalweg::http
