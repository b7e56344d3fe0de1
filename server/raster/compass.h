// Directions in a raster of a planet. A raster's normals are along the axes of its face, which
// differ from those of neighbouring faces.
#pragma once

#include <vector>

#include "proto/picture/light.h"
#include "proto/sphere/cube_sphere.h"
#include "server/raster/raster_query.h"

namespace thalweg::raster {

class Compass {
 public:
  // For normals that are along east and south already.
  Compass() = default;
  // For the raster's pixels.
  explicit Compass(const RasterQuery& query);

  // Turns a pixel's normal from the axes of its face to the planet's east and south. On a plane
  // they are the same. At a pole, east is that of longitude 0.
  picture::UnitNormal Turned(const picture::UnitNormal& normal, int x, int y) const;

 private:
  bool is_planet_ = false;
  sphere::FaceAxes axes_;
  // The positions of columns and rows on the cube, from -1 to 1.
  std::vector<double> columns_;
  std::vector<double> rows_;
};

}  // namespace thalweg::raster
