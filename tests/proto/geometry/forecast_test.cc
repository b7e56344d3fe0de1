#include <gtest/gtest.h>

#include "proto/geometry/selection.h"

namespace thalweg::lod {
namespace {

using wire::TileKey;

constexpr WorldGrid kGrid{.cell_size_m = 1024, .levels = 10};

TEST(ForecastTest, ChildrenHaveHalfTheErrorOfTheTile) {
  const TileFacts facts{.geometric_error = 65'536 * 100, .min_height = -65'536, .max_height = 0};
  const Forecast forecast =
      ForecastOf(kGrid, {.level = 2, .x = 3, .y = 4}, [&facts](const TileKey&) { return &facts; });
  EXPECT_EQ(forecast.error_m, 50);
  EXPECT_TRUE(forecast.has_heights);
  EXPECT_EQ(forecast.min_height_m, -1);
  EXPECT_EQ(forecast.max_height_m, 0);
}

TEST(ForecastTest, UnknownTilesHalveTheErrorOfAKnownAncestor) {
  const TileFacts facts{.geometric_error = 65'536 * 100};
  const Forecast forecast =
      ForecastOf(kGrid, {.level = 4, .x = -5, .y = 9}, [&facts](const TileKey& key) {
        return key == TileKey{.level = 2, .x = -2, .y = 2} ? &facts : nullptr;
      });
  EXPECT_EQ(forecast.error_m, 12.5);
}

TEST(ForecastTest, WithoutTilesLevelZeroHasAnErrorOfACell) {
  const Forecast forecast =
      ForecastOf(kGrid, {.level = 1}, [](const TileKey&) -> const TileFacts* { return nullptr; });
  EXPECT_EQ(forecast.error_m, 256);
  EXPECT_FALSE(forecast.has_heights);
}

TEST(ForecastTest, FlatGroundStillHasTheLatticesError) {
  const TileFacts flat;
  const Forecast forecast =
      ForecastOf(kGrid, {.level = 1}, [&flat](const TileKey&) { return &flat; });
  EXPECT_EQ(forecast.error_m, 8);
}

}  // namespace
}  // namespace thalweg::lod
