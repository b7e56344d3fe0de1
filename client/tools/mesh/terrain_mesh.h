// Makes triangles from terrain.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "client/tools/survey/grid.h"

namespace thalweg::mesh {

// Heights and packed normals (Layer::kNormal) of one region: grids of the same shape, at least 2
// vertices on a side.
struct Heightfield {
  double cell_m = 1;
  survey::Grid<std::int32_t> height_q16;
  survey::Grid<std::int32_t> normal;
  // The height that becomes 0 in the mesh, in metres.
  int origin_up_m = 0;
};

// In metres from the region's middle: x to the east, y up, z to the south (right-handed).
struct Vertex {
  std::array<float, 3> position;
  std::array<float, 3> normal;
  // The place in a picture of the region with a pixel for each vertex, the northernmost row first:
  // 0 to 1 from west to east and from north to south.
  std::array<float, 2> uv;
};

struct TerrainMesh {
  std::vector<Vertex> vertices;
  // Three for each triangle, counterclockwise when seen from above.
  std::vector<std::uint32_t> indices;
  // The largest vertical distance between a vertex of the region and the mesh.
  double error_m = 0;
};

// Makes a mesh within `max_error_m`, vertically, of every vertex of the region, by edge collapses
// with quadrics (Garland & Heckbert 1997; meshoptimizer). All vertices of the border stay, so that
// meshes of neighbouring regions fit. 0 keeps every vertex.
TerrainMesh MakeMesh(const Heightfield& field, double max_error_m);

// Returns the largest vertical distance between a vertex of a grid, with `width` in a row, and the
// triangles, whose indices are of that grid; infinite if a triangle faces down.
double VerticalErrorM(const std::vector<Vertex>& grid, int width,
                      const std::vector<std::uint32_t>& indices);

// Encodes one node with one mesh, little-endian. `png`: the picture on it, with a pixel for each of
// the region's vertices; empty for grey. `extras`: an object, which becomes asset.extras.
std::string EncodeGlb(const TerrainMesh& mesh, const std::string& png, const std::string& name,
                      const nlohmann::ordered_json& extras);

}  // namespace thalweg::mesh
