#include "server/http/get_mesh.h"

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/mesh_query.h"
#include "server/http/mesh_terms.h"
#include "server/http/parameters.h"
#include "server/http/tile_address.h"
#include "server/http/tile_call.h"

namespace thalweg::http {
namespace {

absl::StatusOr<TileAddress> ParseMeshAddress(const world::WorldPointer& world,
                                             const MeshRoute& route, const Exchange& exchange,
                                             const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(list, {"extensions"}));
  THALWEG_ASSIGN_OR_RETURN(
      const geographic::MeshExtensions extensions,
      ParseMeshExtensions(exchange.Header("Accept"), parameters.Find("extensions")));
  THALWEG_ASSIGN_OR_RETURN(geographic::MeshQuery query,
                           geographic::ParseMeshQuery(world, route.tile, extensions));
  return Compressed(AddressOf(query, kMeshMediaType), exchange.Header("Accept-Encoding"),
                    "Accept, Accept-Encoding");
}

}  // namespace

void HandleGetMesh(const Site& site, const MeshRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters) {
  if (!AcceptsMesh(exchange->Header("Accept"))) {
    return exchange->Fail(
        406, absl::StrCat("invalid Accept: expected ", kMeshMediaType, " or */*, got neither"));
  }
  AnswerTile(site, route.world, exchange,
             [route, exchange, parameters](const world::WorldPointer& world) {
               return ParseMeshAddress(world, route, *exchange, parameters);
             });
}

}  // namespace thalweg::http
