#include "server/http/mesh_calls.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "proto/base/message_text.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/ellipsoid.h"
#include "server/http/document.h"
#include "server/http/handlers.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {
namespace {

using geographic::MeshExtensions;

// An element of Accept: a media range and its parameters.
class MediaRange {
 public:
  explicit MediaRange(absl::string_view element) {
    for (const absl::string_view part : absl::StrSplit(element, ';')) {
      parts_.push_back(absl::StripAsciiWhitespace(part));
    }
  }

  bool Is(absl::string_view type) const { return absl::EqualsIgnoreCase(parts_.front(), type); }

  // A parameter's value without quotes; empty if the element does not have it.
  std::optional<absl::string_view> Parameter(absl::string_view name) const {
    for (std::size_t n = 1; n < parts_.size(); ++n) {
      const std::pair<absl::string_view, absl::string_view> pair =
          absl::StrSplit(parts_[n], absl::MaxSplits('=', 1));
      if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(pair.first), name)) continue;
      absl::string_view value = absl::StripAsciiWhitespace(pair.second);
      if (absl::ConsumePrefix(&value, "\"")) absl::ConsumeSuffix(&value, "\"");
      return value;
    }
    return std::nullopt;
  }

  // Whether its weight is above 0; "q=0" and "q=0.000" are not.
  bool IsWanted() const {
    const auto weight = Parameter("q");
    return !weight || weight->empty() || weight->find_first_not_of("0.") != absl::string_view::npos;
  }

 private:
  std::vector<absl::string_view> parts_;
};

std::vector<MediaRange> RangesOf(std::string_view accept) {
  std::vector<MediaRange> ranges;
  for (const absl::string_view element :
       absl::StrSplit(absl::string_view(accept.data(), accept.size()), ',')) {
    ranges.emplace_back(element);
  }
  return ranges;
}

MeshExtensions ExtensionsOf(absl::string_view names) {
  MeshExtensions extensions;
  for (const absl::string_view name : absl::StrSplit(names, '-')) {
    if (name == "octvertexnormals") extensions.normals = true;
    if (name == "watermask") extensions.water_mask = true;
    if (name == "metadata") extensions.metadata = true;
  }
  return extensions;
}

absl::StatusOr<std::string> LayerJsonOf(const Request& request, const world::World& world,
                                        const BaseUrl& own) {
  THALWEG_RETURN_IF_ERROR(Parameters::Parse(request.parameters, {}).status());
  THALWEG_RETURN_IF_ERROR(geographic::CheckPlanet(world));
  THALWEG_ASSIGN_OR_RETURN(const std::string base, own);
  v1::LayerJson json;
  json.set_tilejson("2.1.0");
  json.set_name(world.name());
  json.set_description(world.spec().description());
  json.set_attribution("Thalweg");
  json.set_version(absl::StrCat(world::kGeneratorVersion, ".0.0"));
  json.set_format("quantized-mesh-1.0");
  json.set_scheme("tms");
  json.set_projection("EPSG:4326");
  for (const char* name : {"octvertexnormals", "watermask", "metadata"}) json.add_extensions(name);
  json.add_tiles(absl::StrCat(base, "/v1/worlds/", world.hex_id(), "/cesium/{z}/{x}/{y}.terrain"));
  json.set_minzoom(0);
  json.set_maxzoom(static_cast<std::uint32_t>(geographic::MaxMeshZoom(world)));
  json.set_metadataavailability(geographic::kMetadataZooms);
  for (const double bound : {-180.0, -90.0, 180.0, 90.0}) json.add_bounds(bound);
  const geographic::Ellipsoid ellipsoid = geographic::EllipsoidOf(world.spec().sphere().radius_m());
  for (const double axis_m : {ellipsoid.equatorial_m, ellipsoid.equatorial_m, ellipsoid.polar_m}) {
    json.add_ellipsoid_m(axis_m);
  }
  THALWEG_ASSIGN_OR_RETURN(const std::string text, text::ToJson(json));
  // Protobuf has no lists of lists.
  using nlohmann::ordered_json;
  ordered_json document = ordered_json::parse(text, nullptr, false);
  const ordered_json both = {{"startX", 0}, {"startY", 0}, {"endX", 1}, {"endY", 0}};
  document["available"] = ordered_json::array({ordered_json::array({both})});
  return document.dump(1) + "\n";
}

absl::StatusOr<TileAddress> ParseMeshAddress(const Request& request,
                                             const world::WorldPointer& world) {
  const Exchange& exchange = *request.exchange;
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters,
                           Parameters::Parse(request.parameters, {"extensions"}));
  THALWEG_ASSIGN_OR_RETURN(
      const geographic::MeshExtensions extensions,
      ParseMeshExtensions(exchange.Header("Accept"), parameters.Find("extensions")));
  const wire::TileKey& tile = request.path.tile;
  THALWEG_ASSIGN_OR_RETURN(
      const geographic::MeshQuery query,
      geographic::ParseMeshQuery(world, {tile.level, tile.x, tile.y}, extensions));
  return Compressed(AddressOf(query, kMeshMediaType), exchange.Header("Accept-Encoding"),
                    "Accept, Accept-Encoding");
}

}  // namespace

bool AcceptsMesh(std::string_view accept) {
  if (accept.empty()) return true;
  const std::vector<MediaRange> ranges = RangesOf(accept);
  for (const MediaRange& range : ranges) {
    if (range.Is(kMeshMediaType)) return range.IsWanted();
  }
  for (const MediaRange& range : ranges) {
    const bool is_wide =
        range.Is("application/octet-stream") || range.Is("application/*") || range.Is("*/*");
    if (is_wide && range.IsWanted()) return true;
  }
  return false;
}

absl::StatusOr<MeshExtensions> ParseMeshExtensions(std::string_view accept,
                                                   const std::string* parameter) {
  std::optional<absl::string_view> accepted;
  for (const MediaRange& range : RangesOf(accept)) {
    if (!accepted) accepted = range.Parameter("extensions");
  }
  if (parameter == nullptr) return ExtensionsOf(accepted.value_or(""));
  const MeshExtensions extensions = ExtensionsOf(*parameter);
  if (accepted && ExtensionsOf(*accepted) != extensions) {
    return InvalidText("extensions",
                       absl::StrCat("those of the header Accept, '",
                                    absl::Utf8SafeCHexEscape(*accepted), "', or none"),
                       *parameter);
  }
  return extensions;
}

void HandleLayerJson(const Request& request) { AnswerOfWorld(request, LayerJsonOf); }

void HandleGetMesh(const Request& request) {
  Exchange& exchange = *request.exchange;
  if (!AcceptsMesh(exchange.Header("Accept"))) {
    return exchange.Fail(406, absl::StrCat("Accept names neither ", kMeshMediaType, " nor */*"));
  }
  AnswerTile(request, ParseMeshAddress);
}

}  // namespace thalweg::http
