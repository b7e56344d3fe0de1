// Directions in a raster of a planet. Its normals have the axes of its face, which differ from
// those of the neighbouring faces.
#pragma once

#include <vector>

#include "proto/picture/light.h"
#include "proto/sphere/cube_sphere.h"
#include "server/raster/raster_query.h"

namespace thalweg::raster {

class Compass {
 public:
  // For normals whose axes are east and south already.
  Compass() = default;
  // For the raster's pixels.
  explicit Compass(const RasterQuery& query);

  // The normal of a pixel, from the axes of its face to east and south of the planet. On a plane
  // they are the same. At a pole east is that of longitude 0.
  picture::UnitNormal Turned(const picture::UnitNormal& normal, int x, int y) const;

 private:
  bool is_planet_ = false;
  sphere::FaceAxes axes_;
  // Where columns and rows are on the cube, from -1 to 1.
  std::vector<double> columns_;
  std::vector<double> rows_;
};

}  // namespace thalweg::raster
