#include <gtest/gtest.h>

#include <vector>

#include "client/src/calls/region_plan.h"

namespace thalweg {
namespace {

TEST(SampleBatchTest, EndsWhereTooManyPointsOrTilesBegin) {
  std::vector<int> points;
  for (int n = 0; n < 100; ++n) points.push_back(n);
  const auto batch = [&points](std::size_t max_points, std::size_t max_tiles) {
    return SampleBatch(
        std::span<const int>(points), [](int point) { return point / 4; }, max_points, max_tiles);
  };
  EXPECT_EQ(batch(1'000, 1'000), 100U);
  EXPECT_EQ(batch(30, 1'000), 30U);
  EXPECT_EQ(batch(1'000, 5), 20U);
  // Repeated tiles count once.
  points.insert(points.end(), points.begin(), points.end());
  EXPECT_EQ(batch(1'000, 25), 200U);
}

}  // namespace
}  // namespace thalweg
