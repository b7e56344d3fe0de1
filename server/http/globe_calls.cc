#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/picture_query.h"
#include "server/geographic/tiling.h"
#include "server/http/document.h"
#include "server/http/handlers.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "server/world/world.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

// What all TileJSON documents have in common.

// The max latitude of web maps: 2 atan(e^pi) - 90 degrees.
inline constexpr double kMercatorLatitude = 85.0511287798066;

// The part that every TileJSON of a world has.
v1::TileJson TileJsonOf(const world::World& world);

namespace {

// The finest zoom that MapLibre draws (MAX_TILE_ZOOM).
constexpr int kMapMaxZoom = 25;
static_assert(kMapMaxZoom >= wire::kMaxWindowBits);

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

// A rectangle of a web map, as parts of its width: 0 to 1 from west to east and from north to
// south.
struct MapArea {
  double west = 0;
  double north = 0;
  double east = 1;
  double south = 1;
};

// Returns where the world's real land is; nothing if it has none in the window.
std::optional<MapArea> LandIn(const MapWindow& window, const world::World& world) {
  if (world.land() == nullptr) return std::nullopt;
  const double tile_m = world.level(0).cell_size_m * wire::kTileCells;
  const elevation::SheetShape& shape = world.land()->shape(0);
  const auto part = [&](std::int64_t corner, int vertex) {
    const double tiles = vertex * world.land()->cell_size_m() / tile_m;
    return std::clamp((tiles - static_cast<double>(corner)) / std::exp2(window.bits), 0.0, 1.0);
  };
  const MapArea area{part(window.west, shape.x0), part(window.north, shape.y0),
                     part(window.west, shape.x0 + shape.width - 1),
                     part(window.north, shape.y0 + shape.height - 1)};
  if (area.west < area.east && area.north < area.south) return area;
  return std::nullopt;
}

double LongitudeAt(double part) { return 360 * part - 180; }
double LatitudeAt(double part) {
  return std::atan(std::sinh(std::numbers::pi * (1 - 2 * part))) * 180 / std::numbers::pi;
}

// Tells the map where to begin: at real land, one to two tiles wide, else in the window's middle.
void AddView(const MapWindow& window, const world::World& world, v1::TileJson& json) {
  const std::optional<MapArea> land = LandIn(window, world);
  const MapArea area = land.value_or(MapArea{});
  const double side = std::max(area.east - area.west, area.south - area.north);
  const double zoom = land ? std::floor(1 - std::log2(side)) : window.bits + 1;
  for (const double bound : {LongitudeAt(area.west), LatitudeAt(area.south), LongitudeAt(area.east),
                             LatitudeAt(area.north)}) {
    json.add_bounds(bound);
  }
  json.add_center(LongitudeAt((area.west + area.east) / 2));
  json.add_center(LatitudeAt((area.north + area.south) / 2));
  json.add_center(std::clamp<double>(zoom, json.minzoom(), json.maxzoom()));
}

absl::StatusOr<std::string> Make(const Request& request, const world::World& world,
                                 const BaseUrl& own) {
  THALWEG_ASSIGN_OR_RETURN(
      const Parameters parameters,
      Parameters::Parse(request.parameters, {"window", "x", "y", "encoding", "registration"}));
  THALWEG_ASSIGN_OR_RETURN(const MapWindow window, ParseWindow(parameters, world));
  THALWEG_ASSIGN_OR_RETURN(const std::string encoding, ParseEncoding(parameters));
  const std::string extension = encoding == "relief" ? "png" : absl::StrCat(encoding, ".png");
  THALWEG_ASSIGN_OR_RETURN(const raster::Registration registration,
                           ParseRegistration(parameters, *raster::FormatOf(extension)));
  THALWEG_ASSIGN_OR_RETURN(const std::string base, own);
  const double tile_m = world.level(0).cell_size_m * wire::kTileCells;
  const double side = std::exp2(window.bits);
  v1::TileJson json = TileJsonOf(world);
  const std::string of_pixels = registration == raster::Registration::kCentre ? "centre" : "corner";
  const bool is_picture = IsPicture(encoding);
  json.add_tiles(absl::StrCat(base, "/v1/worlds/", world.hex_id(), "/xyz/{z}/{x}/{y}.", extension,
                              "?", QueryOf(window, world),
                              is_picture ? "" : absl::StrCat("&registration=", of_pixels)));
  json.set_minzoom(static_cast<std::uint32_t>(window.bits));
  json.set_maxzoom(
      static_cast<std::uint32_t>(std::min(window.bits + world.levels() - 1, kMapMaxZoom)));
  AddView(window, world, json);
  if (!is_picture) {
    json.set_encoding(encoding);
    json.set_registration(of_pixels);
  }
  json.set_tilesize(wire::kTileCells);
  json.set_window_m(side * tile_m);
  json.set_west_m(static_cast<double>(window.west) * tile_m);
  json.set_north_m(static_cast<double>(window.north) * tile_m);
  return text::ToJson(json);
}

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

void HandleTileJson(const Request& request) { AnswerOfWorld(request, Make); }

void HandlePictureJson(const Request& request) { AnswerOfWorld(request, PictureJsonOf); }

void HandleGetPicture(const Request& request) { AnswerTile(request, ParsePictureAddress); }

}  // namespace thalweg::http
