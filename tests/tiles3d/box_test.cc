#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "server/geographic/ellipsoid.h"
#include "server/tiles3d/cell.h"
#include "server/tiles3d/tileset_json.h"

namespace thalweg::tiles3d {
namespace {

// The point's largest distance from the box's middle along an axis. Inside the box it is at most 1.
double Reach(const Box& box, const sphere::Vector& point) {
  double reach = 0;
  for (const sphere::Vector& axis : box.half_axes) {
    reach = std::max(reach, std::abs(Dot(point - box.center, axis)) / Dot(axis, axis));
  }
  return reach;
}

TEST(BoxTest, ContainsAllGroundAndLittleMore) {
  std::mt19937 random(5);
  const geographic::Ellipsoid moon = {1'737'400, 1'737'400};
  for (int n = 0; n < 200; ++n) {
    const int level = static_cast<int>(random() % 17);
    const auto drawn = [&] { return static_cast<std::int64_t>(random()) % (1LL << level); };
    const Cell cell = {static_cast<int>(random() % 6), level, drawn(), drawn()};
    const double low_m = std::ldexp(-5'000, -level);
    const double high_m = std::ldexp(9'000, -level);
    const Box box = BoxAround(cell, moon, {low_m, high_m});
    double reach = 0;
    for (int k = 0; k < 500; ++k) {
      const sphere::Vector direction = DirectionOf(TileOf(cell), static_cast<int>(random() % 257),
                                                   static_cast<int>(random() % 257));
      const double height_m =
          low_m + (high_m - low_m) * static_cast<double>(random() % 1'001) / 1'000;
      reach = std::max(reach, Reach(box, geographic::PointAbove(moon, direction, height_m)));
    }
    EXPECT_LE(reach, 1) << level;
    EXPECT_GT(reach, 0.9) << level;
    // The third axis points up.
    const sphere::Vector up = DirectionOf(TileOf(cell), 128, 128);
    EXPECT_NEAR(Dot(box.half_axes[2], up) / Length(box.half_axes[2]), 1, 1e-12);
    EXPECT_NEAR(Dot(box.half_axes[0], box.half_axes[1]) / Dot(box.half_axes[0], box.half_axes[0]),
                0, 1e-12);
  }
}

}  // namespace
}  // namespace thalweg::tiles3d
