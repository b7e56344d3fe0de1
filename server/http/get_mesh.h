// GET /v1/worlds/{world}/cesium/{z}/{x}/{y}.terrain: a tile of a planet's ground as a quantized
// mesh.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// See AnswerTile, and mesh_terms.h for what callers may ask for. 406 if Accept does not allow a
// mesh.
void HandleGetMesh(const Site& site, const MeshRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
