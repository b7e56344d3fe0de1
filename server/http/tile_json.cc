#include "server/http/tile_json.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"
#include "server/http/document.h"
#include "server/http/map_window.h"
#include "server/http/parameters.h"

namespace thalweg::http {
namespace {

bool IsPicture(const std::string& encoding) {
  return encoding == "relief" || encoding == "satellite";
}

// How the tiles are read: as heights in "terrarium" or "mapbox", or as pictures.
absl::StatusOr<std::string> ParseEncoding(const Parameters& parameters) {
  const std::string* const name = parameters.Find("encoding");
  if (name == nullptr) return std::string("terrarium");
  if (*name == "terrarium" || *name == "mapbox" || IsPicture(*name)) return *name;
  return InvalidText("encoding", "terrarium, mapbox, relief or satellite", *name);
}

absl::StatusOr<std::string> Make(const Site& site, const world::World& world,
                                 const Exchange& exchange, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters,
                           Parameters::Parse(list, {"window", "x", "y", "encoding"}));
  THALWEG_ASSIGN_OR_RETURN(const MapWindow window, ParseWindow(parameters, world));
  THALWEG_ASSIGN_OR_RETURN(const std::string encoding, ParseEncoding(parameters));
  THALWEG_ASSIGN_OR_RETURN(const std::string base, BaseUrlOf(site, exchange));
  const double tile_m = world.level(0).cell_size_m * wire::kTileCells;
  const double side = std::exp2(window.bits);
  v1::TileJson json = TileJsonOf(world);
  json.add_tiles(absl::StrCat(base, "/v1/worlds/", world.hex_id(), "/xyz/{z}/{x}/{y}.",
                              encoding == "relief" ? "png" : absl::StrCat(encoding, ".png"), "?",
                              QueryOf(window, world)));
  json.set_minzoom(static_cast<std::uint32_t>(window.bits));
  json.set_maxzoom(static_cast<std::uint32_t>(window.bits + world.levels() - 1));
  for (const double bound : {-180.0, -kMercatorLatitude, 180.0, kMercatorLatitude})
    json.add_bounds(bound);
  for (const double value : {0.0, 0.0, window.bits + 1.0}) json.add_center(value);
  if (!IsPicture(encoding)) json.set_encoding(encoding);
  json.set_tilesize(wire::kTileCells);
  json.set_window_m(side * tile_m);
  json.set_west_m(static_cast<double>(window.west) * tile_m);
  json.set_north_m(static_cast<double>(window.north) * tile_m);
  return text::ToJson(json);
}

}  // namespace

v1::TileJson TileJsonOf(const world::World& world) {
  v1::TileJson json;
  json.set_tilejson("3.0.0");
  json.set_name(world.name());
  json.set_description(world.spec().description());
  json.set_attribution("Thalweg");
  json.set_version(absl::StrCat(world::kGeneratorVersion, ".0.0"));
  json.set_scheme("xyz");
  return json;
}

void HandleTileJson(const Site& site, const TileJsonRoute& route, const ExchangePointer& exchange,
                    const ParameterList& parameters) {
  AnswerOfWorld(site, route.world, exchange,
                [&site, exchange, parameters](const world::World& world) {
                  return Make(site, world, *exchange, parameters);
                });
}

}  // namespace thalweg::http
