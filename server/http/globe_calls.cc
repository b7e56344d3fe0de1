#include <string>

#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/picture_query.h"
#include "server/geographic/tiling.h"
#include "server/http/document.h"
#include "server/http/handlers.h"
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

absl::StatusOr<std::string> PictureJsonOf(const Request& request, const world::World& world,
                                          const BaseUrl& own) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters,
                           Parameters::Parse(request.parameters, {"tiling"}));
  THALWEG_ASSIGN_OR_RETURN(const geographic::Tiling tiling, ParseTiling(parameters));
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(world));
  THALWEG_ASSIGN_OR_RETURN(const std::string base, own);
  const bool is_mercator = tiling == geographic::Tiling::kMercator;
  v1::TileJson json = TileJsonOf(world);
  json.add_tiles(absl::StrCat(base, "/v1/worlds/", world.hex_id(), "/globe/",
                              std::string(geographic::NameOf(request.path.picture)),
                              "/{z}/{x}/{y}.png", is_mercator ? "?tiling=mercator" : ""));
  json.set_minzoom(0);
  json.set_maxzoom(static_cast<std::uint32_t>(geographic::MaxPictureZoom(world, tiling)));
  const double latitude = is_mercator ? kMercatorLatitude : 90;
  for (const double bound : {-180.0, -latitude, 180.0, latitude}) json.add_bounds(bound);
  json.set_crs(is_mercator ? "EPSG:3857" : "EPSG:4326");
  json.set_tilesize(geographic::kPicturePixels);
  return text::ToJson(json);
}

absl::StatusOr<TileAddress> ParsePictureAddress(const Request& request,
                                                const world::WorldPointer& world) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters,
                           Parameters::Parse(request.parameters, {"tiling"}));
  THALWEG_ASSIGN_OR_RETURN(const geographic::Tiling tiling, ParseTiling(parameters));
  const wire::TileKey& tile = request.path.tile;
  THALWEG_ASSIGN_OR_RETURN(const geographic::PictureQuery query,
                           geographic::ParsePictureQuery(world, request.path.picture, tiling,
                                                         {tile.level, tile.x, tile.y}));
  return AddressOf(query, "image/png");
}

}  // namespace

void HandlePictureJson(const Request& request) { AnswerOfWorld(request, PictureJsonOf); }

void HandleGetPicture(const Request& request) { AnswerTile(request, ParsePictureAddress); }

}  // namespace thalweg::http
