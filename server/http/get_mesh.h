// GET /v1/worlds/{world}/cesium/{z}/{x}/{y}.terrain: a tile of a planet's ground as a quantized
// mesh.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// See AnswerTile, and mesh_terms.h for what the caller may ask for. 406 when Accept allows no such
// form.
void HandleGetMesh(const Site& site, const MeshRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
