// Where the pixels of a picture of a planet lie, and which way its ground slopes there.
#pragma once

#include <array>
#include <vector>

#include "proto/sphere/cube_sphere.h"
#include "server/geographic/face_samples.h"
#include "server/geographic/picture_query.h"
#include "server/geographic/tiling.h"
#include "server/raster/grid.h"

namespace thalweg::geographic {

// The middles of kPicturePixels x kPicturePixels pixels, from the north-west, and of one more
// around them on each side.
class PictureGrid {
 public:
  static constexpr int kSide = kPicturePixels + 2;

  // Rows of the tile count from the north.
  PictureGrid(Tiling tiling, const GlobeTile& tile, double radius_m);

  // Between pixels, along a meridian at the equator.
  double pixel_m() const { return pixel_m_; }

  // Where values are to be sampled: kSide x kSide, row after row.
  std::vector<sphere::Point> Directions() const;

  // What was sampled there, without the pixels around, and LAYER_NORMAL to east and south, made of
  // the heights of the pixels on both sides. Heights are among the layers.
  raster::Grid Pixels(const SampledLayers& layers) const;

 private:
  double radius_m_;
  double pixel_m_;
  // In degrees; beyond a pole more than 90.
  std::array<double, kSide> longitudes_;
  std::array<double, kSide> latitudes_;
};

}  // namespace thalweg::geographic
