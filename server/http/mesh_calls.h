// The requests for a planet's ground as quantized meshes: GET /v1/worlds/{world}/cesium/...
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// layer.json: which tiles exist.
void HandleLayerJson(const Site& site, const LayerJsonRoute& route, const ExchangePointer& exchange,
                     const ParameterList& parameters);

// {z}/{x}/{y}.terrain: a tile. See AnswerTile, and mesh_terms.h for what callers may ask for. 406
// if Accept does not allow a mesh.
void HandleGetMesh(const Site& site, const MeshRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

}  // namespace thalweg::http
