// Covers a grid of points with few triangles: a right-triangulated irregular network (Evans,
// Kirkpatrick & Townsend 2001). It splits triangles in two until each is close enough to the points
// that it covers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "proto/sphere/cube_sphere.h"

namespace thalweg::geographic {

// Cells on a side of the grid, and vertices.
inline constexpr int kMeshCells = 64;
inline constexpr int kMeshSide = kMeshCells + 1;

// The numbers of three vertices, counterclockwise where columns grow to the right and rows upwards.
using Triangle = std::array<std::uint16_t, 3>;

// Triangles over kMeshSide x kMeshSide points, row after row. No point is farther than `error_m`
// from its place in its triangle, which has the same weights of the corners as in the grid. All
// vertices on the grid's edges are kept, so that meshes on both sides of an edge meet.
std::vector<Triangle> Triangulate(std::span<const sphere::Point> points, double error_m);

}  // namespace thalweg::geographic
