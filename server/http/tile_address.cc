#include "server/http/tile_address.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/wire/invalid.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_tag.h"
#include "server/http/parameters.h"
#include "server/raster/render.h"

namespace thalweg::http {
namespace {

using LayerNumbers = google::protobuf::RepeatedField<int>;

// Parses names of layers with commas between them.
absl::StatusOr<LayerNumbers> ParseLayers(const std::string* names) {
  LayerNumbers layers;
  if (names == nullptr) return layers;
  for (const absl::string_view name : absl::StrSplit(*names, ',')) {
    const std::optional<v1::Layer> layer = wire::FindLayer({name.data(), name.size()});
    if (!layer) {
      return InvalidText("layer", "the name of a layer, as a world's document lists them", name);
    }
    layers.Add(*layer);
  }
  return layers;
}

absl::StatusOr<v1::Precision> ParsePrecision(const std::string* name) {
  if (name == nullptr || *name == "lattice") return v1::PRECISION_LATTICE;
  if (*name == "exact") return v1::PRECISION_EXACT;
  return InvalidText("precision", "lattice or exact", *name);
}

// A missing parameter means 0, the face of a plane.
absl::StatusOr<int> ParseFace(const Parameters& parameters) {
  constexpr std::int64_t kMaxFaces = 6;
  const std::string* const text = parameters.Find("face");
  if (text == nullptr) return 0;
  const auto face = ParseDecimal(*text);
  if (face && *face >= 0 && *face < kMaxFaces) return static_cast<int>(*face);
  return InvalidText("face", "0 to 5", *text);
}

// The key of a path that names level, column and row.
absl::StatusOr<wire::TileKey> KeyOf(const PathValues& path, const Parameters& parameters,
                                    const world::World& world) {
  wire::TileKey key = path.tile;
  THALWEG_ASSIGN_OR_RETURN(key.face, ParseFace(parameters));
  THALWEG_RETURN_IF_ERROR(tile::CheckKey(key, world));
  return key;
}

absl::StatusOr<TileAddress> ParseNative(tile::TileQuery tile_query, const Parameters& parameters) {
  THALWEG_ASSIGN_OR_RETURN(const LayerNumbers layers, ParseLayers(parameters.Find("layer")));
  THALWEG_ASSIGN_OR_RETURN(const v1::Precision precision,
                           ParsePrecision(parameters.Find("precision")));
  const wire::TileKey key = tile_query.key;
  THALWEG_ASSIGN_OR_RETURN(tile_query, tile::ParseWithoutKey(std::move(tile_query.world), layers,
                                                             precision, v1::PRIORITY_INTERACTIVE));
  tile_query.key = key;
  std::string identity = absl::StrCat("tlw ", wire::kTileFormat, " ", tile_query.world->hex_id(),
                                      " ", key.face, " ", key.level, " ", key.x, " ", key.y, " ",
                                      tile_query.layers.bits(), " ", static_cast<int>(precision));
  return TileAddress{.tile_query = std::move(tile_query),
                     .identity = std::move(identity),
                     .content_type = "application/vnd.thalweg.tile"};
}

absl::StatusOr<std::optional<int>> ParseSize(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  const auto size = ParseDecimal(*text);
  if (!size || *size < 1 || *size > 65'535) {
    return InvalidText("size", "256, 257 or 512", *text);
  }
  return static_cast<int>(*size);
}

// Headers that say how grey levels become values.
std::string GreyHeaders(const raster::RasterQuery& query) {
  if (query.format != raster::Format::kPng16) return "";
  const v1::LayerFacts& facts = wire::FactsOf(query.layer);
  return absl::StrCat("Thalweg-Step: ", PrintReal(wire::GreyStepOf(facts)),
                      "\r\nThalweg-Offset: ", PrintReal(wire::GreyOffsetOf(facts)), "\r\n");
}

absl::StatusOr<TileAddress> ParseRaster(tile::TileQuery tile_query, raster::Format format,
                                        raster::Registration registration,
                                        const Parameters& parameters) {
  THALWEG_ASSIGN_OR_RETURN(const LayerNumbers layers, ParseLayers(parameters.Find("layer")));
  if (layers.size() > 1) return wire::Invalid("layer", "one for a raster", layers.size());
  std::optional<v1::Layer> layer;
  if (!layers.empty()) layer = static_cast<v1::Layer>(layers[0]);
  THALWEG_ASSIGN_OR_RETURN(const std::optional<int> size, ParseSize(parameters.Find("size")));
  THALWEG_ASSIGN_OR_RETURN(
      raster::RasterQuery query,
      raster::ParseRasterQuery(std::move(tile_query), format, layer, size, registration));
  TileAddress address = AddressOf(query, raster::FactsOf(format).media_type);
  address.headers = GreyHeaders(query);
  return address;
}

absl::Status NoSuchTileExtension(const std::string& extension) {
  return InvalidText("extension", absl::StrCat("tlw, ", raster::Extensions()), extension,
                     absl::StatusCode::kNotFound);
}

}  // namespace

absl::StatusOr<raster::Registration> ParseRegistration(const Parameters& parameters,
                                                       raster::Format format) {
  using raster::Registration;
  const bool has_centres = raster::FactsOf(format).has_centres;
  const std::string* const text = parameters.Find("registration");
  if (text == nullptr) return has_centres ? Registration::kCentre : Registration::kCorner;
  if (*text == "corner") return Registration::kCorner;
  if (*text == "centre" && has_centres) return Registration::kCentre;
  return InvalidText("registration",
                     has_centres ? "centre or corner" : "corner, since only heights have centres",
                     *text);
}

TileAddress Compressed(TileAddress address, std::string_view accept_encoding,
                       std::string_view vary) {
  absl::StrAppend(&address.headers, "Vary: ", absl::string_view(vary.data(), vary.size()), "\r\n");
  address.coding = CodingOf(accept_encoding);
  if (address.coding == Coding::kIdentity) return address;
  const std::string name(NameOf(address.coding));
  absl::StrAppend(&address.identity, " ", name);
  absl::StrAppend(&address.headers, "Content-Encoding: ", name, "\r\n");
  return address;
}

absl::StatusOr<TileAddress> ParseTileAddress(const world::WorldPointer& world,
                                             const PathValues& path, const ParameterList& list) {
  const auto format = raster::FormatOf(path.extension);
  const bool native = path.extension == "tlw";
  if (!native && !format) return NoSuchTileExtension(path.extension);
  THALWEG_ASSIGN_OR_RETURN(
      const Parameters parameters,
      Parameters::Parse(list, {"face", "layer", native ? "precision" : "size"}));
  tile::TileQuery tile_query;
  tile_query.world = world;
  THALWEG_ASSIGN_OR_RETURN(tile_query.key, KeyOf(path, parameters, *world));
  return native ? ParseNative(std::move(tile_query), parameters)
                : ParseRaster(std::move(tile_query), *format, raster::Registration::kCorner,
                              parameters);
}

absl::StatusOr<TileAddress> ParseMapTileAddress(const world::WorldPointer& world,
                                                const PathValues& path, const ParameterList& list) {
  // Maps can't use the meshes of native tiles.
  const auto format = raster::FormatOf(path.extension);
  if (!format) return NoSuchTileExtension(path.extension);
  THALWEG_ASSIGN_OR_RETURN(
      const Parameters parameters,
      Parameters::Parse(list, {"window", "x", "y", "layer", "size", "registration"}));
  THALWEG_ASSIGN_OR_RETURN(const MapWindow window, ParseWindow(parameters, *world));
  tile::TileQuery tile_query;
  tile_query.world = world;
  THALWEG_ASSIGN_OR_RETURN(tile_query.key, wire::TileOf(window, path.tile, world->levels()));
  THALWEG_ASSIGN_OR_RETURN(const raster::Registration registration,
                           ParseRegistration(parameters, *format));
  return ParseRaster(std::move(tile_query), *format, registration, parameters);
}

}  // namespace thalweg::http
