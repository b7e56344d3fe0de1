// The places of the pixels of a planet's picture, and the slopes there.
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

  // The distance of pixels in metres, along a meridian at the equator.
  double pixel_m() const { return pixel_m_; }

  // The places where values are sampled: kSide x kSide, row after row.
  std::vector<sphere::Point> Directions() const;

  // The sampled layers without the pixels around, and LAYER_NORMAL to east and south, made from the
  // heights of the pixels on both sides. Heights must be among the layers.
  raster::Grid Pixels(const SampledLayers& layers) const;

 private:
  double radius_m_;
  double pixel_m_;
  // In degrees; latitudes beyond a pole are above 90 or below -90.
  std::array<double, kSide> longitudes_;
  std::array<double, kSide> latitudes_;
};

}  // namespace thalweg::geographic
