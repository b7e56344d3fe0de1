// Boxes around tiles of planets that are not like the Earth.
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
  // Vectors from the middle to three faces.
  std::array<sphere::Point, 3> half_axes;
};

// A box around all ground of a cell between two heights: upright where the cell's middle is, along
// the two lines of the cell through it.
Box BoxAround(const Cell& cell, const geographic::Ellipsoid& ellipsoid, const HeightBounds& bounds);

// As 3D Tiles have it: twelve numbers, to the millimetre.
std::string JsonOf(const Box& box);

}  // namespace thalweg::tiles3d
