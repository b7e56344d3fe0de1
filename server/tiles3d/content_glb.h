// A tile's mesh and picture as binary glTF 2.0: the content of 3D Tiles 1.1.
#pragma once

#include <string>

#include "server/tiles3d/content_mesh.h"

namespace thalweg::tiles3d {

// The bytes of a file. It has one node, at the mesh's origin in doubles, scaled by the mesh's step.
// Positions and normals are 16- and 8-bit numbers (KHR_mesh_quantization). glTF's y points up, and
// 3D Tiles turn it to z (3D Tiles 1.1, "glTF transforms"): x, y, z here are x, z, -y there. The
// picture, a shaded PNG of 257 x 257 pixels, is shown unlit (KHR_materials_unlit). `extras`: a JSON
// object, which becomes asset.extras.
std::string EncodeContent(const ContentMesh& mesh, const std::string& png,
                          const std::string& extras);

}  // namespace thalweg::tiles3d
