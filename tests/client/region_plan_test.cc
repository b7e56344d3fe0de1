#include "client/src/calls/region_plan.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "client/src/connection/transport.h"

namespace thalweg {
namespace {

constexpr std::uint64_t kSeed = 7;

TileRectangle Plan(std::int64_t x0, int width) {
  const auto plan = PlanRegion({.world = "w", .level = 4, .x0 = x0, .width = width, .height = 1});
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.value_or(TileRectangle{});
}

TEST(RegionPlanTest, UsesTheFewestTiles) {
  struct Case {
    std::int64_t x0;
    int width;
    std::int64_t first;
    std::int64_t columns;
  };
  const std::int64_t edge = std::int64_t{1} << 48;
  for (const Case& c :
       {Case{0, 1, 0, 1}, Case{0, 257, 0, 1}, Case{0, 258, 0, 2}, Case{-1, 1, -1, 1},
        Case{-1, 2, -1, 1}, Case{-1, 3, -1, 2}, Case{256, 1, 0, 1}, Case{257, 1, 1, 1},
        Case{255, 2, 0, 1}, Case{-256, 257, -1, 1}, Case{-257, 2, -2, 1},
        Case{edge, 1, (edge >> 8) - 1, 1}, Case{0, 16384, 0, 64}, Case{2, 16384, 0, 65}}) {
    const TileRectangle plan = Plan(c.x0, c.width);
    EXPECT_EQ(plan.first.x, c.first) << c.x0 << ", " << c.width;
    EXPECT_EQ(plan.columns, c.columns) << c.x0 << ", " << c.width;
    EXPECT_EQ(plan.first.level, 4);
  }
}

TEST(RegionPlanTest, CoversEveryVertexWithoutUselessTiles) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 2000; ++i) {
    const int width = 1 + static_cast<int>(random() % kMaxRegionSide);
    const std::int64_t x0 = static_cast<std::int64_t>(random()) >> (random() % 64);
    if (x0 > INT64_MAX - width) continue;
    const TileRectangle plan = Plan(x0, width);
    const std::int64_t last = x0 + width - 1;
    const std::int64_t begin = plan.first.x * kTileCells;
    EXPECT_LE(begin, x0);
    // The last tile must add vertices past its first one to the tiles before it.
    const std::int64_t last_begin = (plan.first.x + plan.columns - 1) * kTileCells;
    EXPECT_LE(last - last_begin, kTileCells) << x0 << ", " << width;
    EXPECT_TRUE(plan.columns == 1 || last > last_begin) << x0 << ", " << width;
    EXPECT_LT(x0 - begin, plan.columns == 1 ? kTileVertices : kTileCells) << x0 << ", " << width;
  }
}

TEST(RegionPlanTest, RefusesInvalidSidesAndLayers) {
  for (const int side : {0, -1, 16'385, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(PlanRegion({.world = "w", .width = side, .height = 1}).status().code(),
              absl::StatusCode::kInvalidArgument)
        << side;
    EXPECT_EQ(PlanRegion({.world = "w", .width = 1, .height = side}).status().code(),
              absl::StatusCode::kInvalidArgument)
        << side;
  }
  RegionRequest request{.world = "w", .width = 1, .height = 1};
  request.layers = {};
  EXPECT_EQ(PlanRegion(request).status().code(), absl::StatusCode::kInvalidArgument);
  request.layers = {Layer::kFlow, Layer::kFlow};
  EXPECT_EQ(PlanRegion(request).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(RegionPlanTest, RefusesCoordinatesBeyond64Bits) {
  EXPECT_TRUE(PlanRegion({.world = "w", .x0 = INT64_MAX, .width = 1, .height = 1}).ok());
  EXPECT_TRUE(PlanRegion({.world = "w", .x0 = INT64_MIN, .width = 16'384, .height = 1}).ok());
  EXPECT_EQ(PlanRegion({.world = "w", .x0 = INT64_MAX, .width = 2, .height = 1}).status().code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(
      PlanRegion({.world = "w", .y0 = INT64_MAX - 4, .width = 1, .height = 6}).status().code(),
      absl::StatusCode::kOutOfRange);
}

TEST(MissingTilesTest, CountsEachTileOnce) {
  MissingTiles missing({.first = {2, -1, 5}, .columns = 2, .rows = 3});
  EXPECT_FALSE(missing.Contains({1, -1, 5}));
  EXPECT_FALSE(missing.Contains({2, 1, 5}));
  EXPECT_FALSE(missing.Contains({2, -1, 4}));
  EXPECT_FALSE(missing.Contains({2, INT64_MAX, INT64_MAX}));
  ASSERT_TRUE(missing.Contains({2, 0, 5}));
  EXPECT_TRUE(missing.MarkArrived({2, 0, 5}));
  EXPECT_FALSE(missing.MarkArrived({2, 0, 5}));
  EXPECT_TRUE(missing.MarkArrived({2, -1, 5}));
  EXPECT_EQ(missing.Remaining().first, (TileKey{2, -1, 6}));
  EXPECT_EQ(missing.Remaining().rows, 2);
  EXPECT_TRUE(missing.MarkArrived({2, -1, 7}));
  EXPECT_TRUE(missing.MarkArrived({2, 0, 7}));
  EXPECT_EQ(missing.Remaining().first.y, 6);
  EXPECT_EQ(missing.Remaining().rows, 1);
  EXPECT_FALSE(missing.empty());
  EXPECT_TRUE(missing.MarkArrived({2, 0, 6}));
  EXPECT_TRUE(missing.MarkArrived({2, -1, 6}));
  EXPECT_TRUE(missing.empty());
}

TEST(BackoffTest, DoublesToItsMaximumAndEnds) {
  using std::chrono::milliseconds;
  Backoff backoff(4, milliseconds(10), milliseconds(35));
  EXPECT_TRUE(backoff.Fail());
  EXPECT_EQ(backoff.Pause(), milliseconds(10));
  EXPECT_TRUE(backoff.Fail());
  EXPECT_EQ(backoff.Pause(), milliseconds(20));
  EXPECT_TRUE(backoff.Fail());
  EXPECT_EQ(backoff.Pause(), milliseconds(35));
  EXPECT_FALSE(backoff.Fail());
  backoff.Reset();
  EXPECT_TRUE(backoff.Fail());
  EXPECT_EQ(backoff.Pause(), milliseconds(10));
}

TEST(SampleBatchTest, EndsBeforeTooManyPointsOrTiles) {
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
