#include "server/http/globe_calls.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/picture_query.h"
#include "server/geographic/tiling.h"
#include "server/http/document.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "server/http/tile_json.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {
namespace {

// The parameter `tiling`; geographic if it is missing.
absl::StatusOr<geographic::Tiling> ParseTiling(const Parameters& parameters) {
  const std::string* const name = parameters.Find("tiling");
  if (name == nullptr || *name == "geographic") return geographic::Tiling::kGeographic;
  if (*name == "mercator") return geographic::Tiling::kMercator;
  return InvalidText("tiling", "geographic or mercator", *name);
}

absl::StatusOr<std::string> PictureJsonOf(const world::World& world, geographic::Picture picture,
                                          const BaseUrl& own, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(list, {"tiling"}));
  THALWEG_ASSIGN_OR_RETURN(const geographic::Tiling tiling, ParseTiling(parameters));
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(world));
  THALWEG_ASSIGN_OR_RETURN(const std::string base, own);
  const bool is_mercator = tiling == geographic::Tiling::kMercator;
  v1::TileJson json = TileJsonOf(world);
  json.add_tiles(absl::StrCat(base, "/v1/worlds/", world.hex_id(), "/globe/",
                              std::string(geographic::NameOf(picture)), "/{z}/{x}/{y}.png",
                              is_mercator ? "?tiling=mercator" : ""));
  json.set_minzoom(0);
  json.set_maxzoom(static_cast<std::uint32_t>(geographic::MaxPictureZoom(world, tiling)));
  const double latitude = is_mercator ? kMercatorLatitude : 90;
  for (const double bound : {-180.0, -latitude, 180.0, latitude}) json.add_bounds(bound);
  json.set_crs(is_mercator ? "EPSG:3857" : "EPSG:4326");
  json.set_tilesize(geographic::kPicturePixels);
  return text::ToJson(json);
}

absl::StatusOr<TileAddress> ParsePictureAddress(const world::WorldPointer& world,
                                                const PictureRoute& route,
                                                const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(list, {"tiling"}));
  THALWEG_ASSIGN_OR_RETURN(const geographic::Tiling tiling, ParseTiling(parameters));
  THALWEG_ASSIGN_OR_RETURN(geographic::PictureQuery query,
                           geographic::ParsePictureQuery(world, route.picture, tiling, route.tile));
  return AddressOf(query, "image/png");
}

}  // namespace

void HandlePictureJson(const Site& site, const PictureJsonRoute& route,
                       const ExchangePointer& exchange, const ParameterList& parameters) {
  AnswerOfWorld(site, route.world, exchange,
                [route, parameters](const world::World& world, const BaseUrl& base) {
                  return PictureJsonOf(world, route.picture, base, parameters);
                });
}

void HandleGetPicture(const Site& site, const PictureRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters) {
  AnswerTile(site, route.world, exchange, [route, parameters](const world::WorldPointer& world) {
    return ParsePictureAddress(world, route, parameters);
  });
}

}  // namespace thalweg::http
