#include "server/geographic/picture_grid.h"

#include <cmath>
#include <numbers>

#include "server/geographic/ellipsoid.h"
#include "server/tile/gradient.h"

namespace thalweg::geographic {
namespace {

// The latitude at a part of the way from the pyramid's northern edge (0) to the southern one (1).
double LatitudeAt(Tiling tiling, double share) {
  if (tiling == Tiling::kGeographic) return 90 - 180 * share;
  return std::atan(std::sinh(std::numbers::pi * (1 - 2 * share))) * (180 / std::numbers::pi);
}

}  // namespace

PictureGrid::PictureGrid(Tiling tiling, const GlobeTile& tile, double radius_m)
    : radius_m_(radius_m) {
  const auto columns = static_cast<double>(ColumnsAt(tiling, tile.zoom) * kPicturePixels);
  const auto rows = static_cast<double>(RowsAt(tile.zoom) * kPicturePixels);
  for (int n = 0; n < kSide; ++n) {
    const double x = static_cast<double>(tile.x * kPicturePixels + n) - 0.5;
    const double y = static_cast<double>(tile.y * kPicturePixels + n) - 0.5;
    const auto index = static_cast<std::size_t>(n);
    longitudes_[index] = 360 * x / columns - 180;
    latitudes_[index] = LatitudeAt(tiling, y / rows);
  }
  const double around_m = 2 * std::numbers::pi * radius_m;
  pixel_m_ = around_m / columns;
}

std::vector<sphere::Point> PictureGrid::Directions() const {
  std::vector<Angle> longitudes;
  for (const double degrees : longitudes_) longitudes.push_back(AngleOf(degrees));
  std::vector<sphere::Point> directions;
  directions.reserve(std::size_t{kSide} * kSide);
  for (const double degrees : latitudes_) {
    const Angle latitude = AngleOf(degrees);
    for (const Angle& longitude : longitudes) {
      directions.push_back(DirectionAt(latitude, longitude));
    }
  }
  return directions;
}

raster::Grid PictureGrid::Pixels(const SampledLayers& layers) const {
  const std::vector<std::int32_t>& heights = layers.at(v1::LAYER_HEIGHT);
  const double unit_m = radius_m_ * (std::numbers::pi / 180) * 65'536;  // a degree, in height units
  raster::Grid pixels{.size = kPicturePixels, .layers = {}};
  std::vector<std::int32_t>& normals = pixels.layers[v1::LAYER_NORMAL];
  for (std::size_t y = 1; y <= kPicturePixels; ++y) {
    const double across = unit_m * AngleOf(latitudes_[y]).cosine;
    for (std::size_t x = 1; x <= kPicturePixels; ++x) {
      const auto at = [&](std::size_t row, std::size_t column) {
        return static_cast<double>(heights[row * kSide + column]);
      };
      const tile::Rise rise = {.east = (at(y, x + 1) - at(y, x - 1)) /
                                       (across * (longitudes_[x + 1] - longitudes_[x - 1])),
                               .south = (at(y + 1, x) - at(y - 1, x)) /
                                        (unit_m * (latitudes_[y - 1] - latitudes_[y + 1]))};
      normals.push_back(tile::NormalOf(rise, 1));
    }
  }
  for (const auto& [layer, values] : layers) {
    std::vector<std::int32_t>& inner = pixels.layers[layer];
    for (std::size_t y = 1; y <= kPicturePixels; ++y) {
      const auto row = values.begin() + static_cast<std::ptrdiff_t>(y) * kSide;
      inner.insert(inner.end(), row + 1, row + 1 + kPicturePixels);
    }
  }
  return pixels;
}

}  // namespace thalweg::geographic
