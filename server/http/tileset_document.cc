#include "server/http/tileset_document.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/tiling.h"
#include "server/http/document.h"
#include "server/http/find_world.h"
#include "server/http/parameters.h"
#include "server/tiles3d/tileset_json.h"

namespace thalweg::http {
namespace {

using tiles3d::Volumes;

absl::StatusOr<Volumes> ParseVolumes(const Parameters& parameters, const world::World& world) {
  const std::string* const name = parameters.Find("volumes");
  if (name == nullptr) return tiles3d::UsualVolumes(world);
  if (*name == "boxes") return Volumes::kBoxes;
  if (*name == "s2") return Volumes::kS2;
  return absl::InvalidArgumentError(absl::StrCat("invalid volumes: expected s2 or boxes, got '",
                                                 absl::Utf8SafeCHexEscape(*name), "'"));
}

absl::StatusOr<std::string> TilesetOf(const world::World& world, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(list, {"volumes"}));
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(world));
  THALWEG_ASSIGN_OR_RETURN(const Volumes volumes, ParseVolumes(parameters, world));
  THALWEG_RETURN_IF_ERROR(tiles3d::CheckVolumes(world, volumes));
  return tiles3d::TilesetJson(world, volumes);
}

}  // namespace

void HandleTileset(const Site& site, const TilesetRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters) {
  FindWorld(site, route.world, exchange,
            [&site, exchange, parameters](const world::WorldPointer& world) {
              const auto json = TilesetOf(*world, parameters);
              if (!json.ok()) return exchange->Fail(json.status());
              AnswerText(site, *json, "application/json", "no-cache", "", *exchange);
            });
}

}  // namespace thalweg::http
