#include "server/http/get_picture.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/picture_query.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"

namespace thalweg::http {
namespace {

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

absl::StatusOr<geographic::Tiling> ParseTiling(const Parameters& parameters) {
  const std::string* const name = parameters.Find("tiling");
  if (name == nullptr || *name == "geographic") return geographic::Tiling::kGeographic;
  if (*name == "mercator") return geographic::Tiling::kMercator;
  return absl::InvalidArgumentError(
      absl::StrCat("invalid tiling: expected geographic or mercator, got '",
                   absl::Utf8SafeCHexEscape(*name), "'"));
}

void HandleGetPicture(const Site& site, const PictureRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters) {
  AnswerTile(site, route.world, exchange, [route, parameters](const world::WorldPointer& world) {
    return ParsePictureAddress(world, route, parameters);
  });
}

}  // namespace thalweg::http
