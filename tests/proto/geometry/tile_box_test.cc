#include "proto/geometry/tile_box.h"

#include <gtest/gtest.h>

namespace thalweg::lod {
namespace {

TEST(TileBoxTest, BoxIsTheTilesSquare) {
  const WorldGrid grid{.cell_size_m = 4, .levels = 5};
  const Box box = BoxOf(grid, {.level = 1, .x = -1, .y = 2}, -3, 8);
  EXPECT_EQ(box.min.x, -512);
  EXPECT_EQ(box.min.y, 1024);
  EXPECT_EQ(box.min.z, -3);
  EXPECT_EQ(box.max.x, 0);
  EXPECT_EQ(box.max.y, 1536);
  EXPECT_EQ(box.max.z, 8);
}

TEST(TileBoxTest, DistanceIsToTheNearestPoint) {
  const Box box{{0, 0, 0}, {10, 10, 10}};
  EXPECT_EQ(DistanceTo(box, {5, 5, 5}), 0);
  EXPECT_EQ(DistanceTo(box, {13, 14, 5}), 5);
  EXPECT_EQ(DistanceTo(box, {5, 5, 22}), 12);
  EXPECT_EQ(HorizontalDistanceTo(box, {5, 13, 22}), 3);
}

TEST(TileBoxTest, TheBallHoldsTheCorners) {
  const Ball ball = BallOf({{0, 0, 0}, {6, 8, 0}});
  EXPECT_EQ(ball.radius_m, 5);
  EXPECT_EQ(ball.middle.x, 3);
  EXPECT_EQ(ball.middle.y, 4);
}

}  // namespace
}  // namespace thalweg::lod
