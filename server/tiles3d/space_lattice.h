// Quantizes points in space alike in neighbouring tiles.
#pragma once

#include <array>
#include <cstdint>

#include "proto/sphere/cube_sphere.h"
#include "server/geographic/ellipsoid.h"

namespace thalweg::tiles3d {

// A point in whole steps from the planet's middle, along the axes of sphere::Point.
using LatticePoint = std::array<std::int64_t, 3>;

// The max distance of a vertex from its tile's origin along an axis, in steps: positions are 16-bit
// numbers.
inline constexpr std::int64_t kMaxSteps = 32'767;

// The step of all tiles of a level in metres: the least power of two with which half of a cell's
// longest diagonal has at most kMaxSteps, so about 1/150 of a cell. S2's cells of the quadratic
// projection have diagonals of at most 2.44 * 2^-level radians (s2metrics.cc, kMaxDiag).
double StepM(const geographic::Ellipsoid& ellipsoid, int level);

// The nearest point of the lattice.
LatticePoint OnLattice(const sphere::Point& point, double step_m);

sphere::Point PointOf(const LatticePoint& point, double step_m);

}  // namespace thalweg::tiles3d
