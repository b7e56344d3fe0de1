#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "proto/geometry/tile_box.h"
#include "proto/geometry/view.h"

namespace thalweg::lod {
namespace {

constexpr sphere::Vector kUp{0, 0, 1};
constexpr sphere::Vector kNorth{0, -1, 0};

// By the definition: whether a point is in the picture, by its angles to the camera's direction.
bool Shows(const View& view, const sphere::Vector& point) {
  const sphere::Vector forward = 1 / Length(view.direction) * view.direction;
  sphere::Vector right = Cross(forward, {0, 0, 1});
  right = 1 / Length(right) * right;
  const sphere::Vector up = Cross(right, forward);
  const sphere::Vector to = point - view.position;
  const double ahead = Dot(to, forward);
  const double tangent = std::tan(view.vertical_fov_deg * std::numbers::pi / 360);
  return ahead > 0 && std::abs(Dot(to, up)) <= ahead * tangent &&
         std::abs(Dot(to, right)) <= ahead * tangent * view.aspect;
}

TEST(FrustumTest, NeverHidesABoxWithAVisiblePoint) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(-100, 100);
  int shown = 0;
  int hidden = 0;
  for (int n = 0; n < 20'000; ++n) {
    const View view{.position = {place(random), place(random), place(random)},
                    .direction = {place(random), place(random), place(random) / 2},
                    .vertical_fov_deg = 20 + std::abs(place(random)),
                    .aspect = 1.5};
    const sphere::Vector least{place(random), place(random), place(random)};
    const Box box{least, least + sphere::Vector{std::abs(place(random)), 10, 5}};
    const Frustum frustum(view, kUp, kNorth);
    const bool may_show = frustum.MayShow(BallOf(box));
    for (const double share : {0.0, 0.3, 0.7, 1.0}) {
      const sphere::Vector point = least + share * (box.max - least);
      if (!Shows(view, point)) continue;
      ++shown;
      EXPECT_TRUE(may_show);
    }
    hidden += may_show ? 0 : 1;
  }
  // The frustum also hides boxes, so it is useful.
  EXPECT_GT(shown, 1'000);
  EXPECT_GT(hidden, 5'000);
}

TEST(FrustumTest, LooksStraightDown) {
  const View view{.position = {0, 0, 100}, .direction = {0, 0, -1}};
  const Frustum frustum(view, kUp, kNorth);
  EXPECT_TRUE(frustum.MayShow(BallOf({{-1, -1, 0}, {1, 1, 1}})));
  EXPECT_FALSE(frustum.MayShow(BallOf({{1000, -1, 0}, {1002, 1, 1}})));
}

}  // namespace
}  // namespace thalweg::lod
