#include "client/src/sample_batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace thalweg {
namespace {

TEST(SampleBatchTest, EndsWhereTooManyPointsOrTilesBegin) {
  std::vector<GroundPoint> points;
  for (int n = 0; n < 100; ++n) points.push_back({.east_m = n * 25.0, .south_m = -1});
  EXPECT_EQ(SampleBatch(points, 100, 1'000, 1'000), 100U);
  EXPECT_EQ(SampleBatch(points, 100, 30, 1'000), 30U);
  EXPECT_EQ(SampleBatch(points, 100, 1'000, 5), 20U);
  // Tiles that come again count once.
  points.insert(points.end(), points.begin(), points.end());
  EXPECT_EQ(SampleBatch(points, 100, 1'000, 25), 200U);
}

}  // namespace
}  // namespace thalweg
