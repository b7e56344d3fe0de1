#include <optional>
#include <string>

#include "proto/wire/status_macros.h"
#include "server/geographic/tiling.h"
#include "server/http/document.h"
#include "server/http/handlers.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "server/tiles3d/content_query.h"
#include "server/tiles3d/subtree_query.h"
#include "server/tiles3d/tileset_json.h"

namespace thalweg::http {
namespace {

// Without `volumes`, with the usual ones of the world.
absl::StatusOr<std::string> TilesetOf(const Request& request, const world::World& world,
                                      std::optional<tiles3d::Volumes> volumes) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(request.parameters, {}).status());
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(world));
  return tiles3d::TilesetJson(world, volumes ? *volumes : tiles3d::UsualVolumes(world));
}

tiles3d::Cell CellOf(const wire::TileKey& tile) { return {tile.face, tile.level, tile.x, tile.y}; }

absl::StatusOr<TileAddress> ParseContentAddress(const Request& request,
                                                const world::WorldPointer& world) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(request.parameters, {}).status());
  THALWEG_ASSIGN_OR_RETURN(const tiles3d::ContentQuery query,
                           tiles3d::ParseContentQuery(world, CellOf(request.path.tile)));
  return Compressed(AddressOf(query, "model/gltf-binary"),
                    request.exchange->Header("Accept-Encoding"));
}

absl::StatusOr<TileAddress> ParseSubtreeAddress(const Request& request,
                                                const world::WorldPointer& world) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(request.parameters, {}).status());
  const bool json = request.path.extension == "json";
  THALWEG_ASSIGN_OR_RETURN(
      const tiles3d::SubtreeQuery query,
      tiles3d::ParseSubtreeQuery(world, CellOf(request.path.tile),
                                 json ? tiles3d::Volumes::kBoxes : tiles3d::Volumes::kS2));
  return Compressed(AddressOf(query, json ? "application/json" : "application/octet-stream"),
                    request.exchange->Header("Accept-Encoding"));
}

}  // namespace

void HandleTileset(const Request& request) {
  AnswerOfWorld(request, [](const Request& asked, const world::World& world, const BaseUrl&) {
    return TilesetOf(asked, world, std::nullopt);
  });
}

void HandleBoxes(const Request& request) {
  AnswerOfWorld(request, [](const Request& asked, const world::World& world, const BaseUrl&) {
    return TilesetOf(asked, world, tiles3d::Volumes::kBoxes);
  });
}

void HandleGetContent(const Request& request) { AnswerTile(request, ParseContentAddress); }

void HandleGetSubtree(const Request& request) { AnswerTile(request, ParseSubtreeAddress); }

}  // namespace thalweg::http
