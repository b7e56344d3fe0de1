// Boxes around tiles, for planets that are not like the Earth.
#pragma once

#include <array>
#include <string>

#include "proto/sphere/cube_sphere.h"
#include "server/geographic/ellipsoid.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/height_bounds.h"

namespace thalweg::tiles3d {

struct Box {
  sphere::Point center;
  // Vectors from the centre to three faces of the box.
  std::array<sphere::Point, 3> half_axes;
};

// A box around all ground of a cell between two heights. It is upright at the cell's middle, and
// along the two lines of the cell through that point.
Box BoxAround(const Cell& cell, const geographic::Ellipsoid& ellipsoid, const HeightBounds& bounds);

// As in 3D Tiles: twelve numbers, to the millimetre.
std::string JsonOf(const Box& box);

}  // namespace thalweg::tiles3d
