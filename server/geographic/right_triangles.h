// A grid of points as few triangles: a right-triangulated irregular network (Evans, Kirkpatrick &
// Townsend 2001), which splits triangles in two until each is close enough to the points that it
// covers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "proto/sphere/cube_sphere.h"

namespace thalweg::geographic {

// Cells and vertices on a side of the grid.
inline constexpr int kMeshCells = 64;
inline constexpr int kMeshSide = kMeshCells + 1;

// Numbers of three vertices, counterclockwise where columns grow to the right and rows upward.
using Triangle = std::array<std::uint16_t, 3>;

// Triangles over kMeshSide x kMeshSide points, row after row. No point is farther than `error_m`
// from where its triangle has it, by the same weights of the corners as in the grid. Every vertex
// of the grid's edges is kept, so that meshes on both sides of an edge meet.
std::vector<Triangle> Triangulate(std::span<const sphere::Point> points, double error_m);

}  // namespace thalweg::geographic
