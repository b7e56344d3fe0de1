#include <string>

#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/ellipsoid.h"
#include "server/geographic/mesh_query.h"
#include "server/http/document.h"
#include "server/http/handlers.h"
#include "server/http/mesh_terms.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {
namespace {

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
  // Protobuf has no lists of lists, so this list is inserted as text.
  THALWEG_ASSIGN_OR_RETURN(std::string text, text::ToJson(json));
  text.replace(
      text.rfind('\n', text.rfind('}')), std::string::npos,
      ",\n \"available\": [[{\"startX\": 0, \"startY\": 0, \"endX\": 1, \"endY\": 0}]]\n}\n");
  return text;
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

void HandleLayerJson(const Request& request) { AnswerOfWorld(request, LayerJsonOf); }

void HandleGetMesh(const Request& request) {
  Exchange& exchange = *request.exchange;
  if (!AcceptsMesh(exchange.Header("Accept"))) {
    return exchange.Fail(
        406, absl::StrCat("invalid Accept: expected ", kMeshMediaType, " or */*, got neither"));
  }
  AnswerTile(request, ParseMeshAddress);
}

}  // namespace thalweg::http
