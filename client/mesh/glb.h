// Encodes meshes as binary glTF 2.0.
#pragma once

#include <string>

#include "client/mesh/terrain_mesh.h"

namespace thalweg::mesh {

// Encodes one node with one mesh, little-endian. `png`: the picture on it, with a pixel for each of
// the region's vertices; empty for grey. `name` is a JSON string; `extras` is a JSON object, which
// becomes asset.extras.
std::string EncodeGlb(const TerrainMesh& mesh, const std::string& png, const std::string& name,
                      const std::string& extras);

}  // namespace thalweg::mesh
