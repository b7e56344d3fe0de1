#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "client/tools/hydrography/lakes.h"
#include "client/tools/hydrography/rivers.h"
#include "client/tools/survey/depressions.h"
#include "client/tools/survey/streams.h"

namespace thalweg::hydrography {
namespace {

using survey::FilledGrid;
using survey::Grid;

constexpr double kMinFlow = 40;

std::int32_t Q16(double metres) { return static_cast<std::int32_t>(std::lround(metres * 65536)); }

// Ground as a function of the vertex, with the flow of survey's D8 routing.
template <typename Ground>
Waters WatersOf(int side, const Ground& ground) {
  Grid<double> ground_m = FilledGrid(side, side, 0.0);
  Waters waters{
      .cell_m = 10, .height_q16 = FilledGrid(side, side, 0), .flow_q8 = FilledGrid(side, side, 0)};
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      ground_m.At(x, y) = ground(x, y);
      waters.height_q16.At(x, y) = Q16(ground(x, y));
    }
  }
  const survey::Drainage drainage =
      survey::RouteDrainage(survey::FloodFromOutlets(ground_m, std::nullopt));
  for (std::size_t i = 0; i < drainage.area.size(); ++i) {
    waters.flow_q8.values[i] = drainage.area[i] * 256;
  }
  return waters;
}

// Two valleys come from the north, meet in the middle and go on south.
double ForkedValley(int x, int y) {
  const double apart = y < 50 ? 0.4 * (50 - y) : 0;
  const double to_valley = std::min(std::abs(x - 50 - apart), std::abs(x - 50 + apart));
  return 500 - 2.0 * y + 5 * to_valley;
}

std::int64_t TwiceArea(const Ring& ring) {
  std::int64_t twice = 0;
  for (std::size_t i = 1; i < ring.size(); ++i) {
    twice -= std::int64_t{ring[i - 1].x} * ring[i].y - std::int64_t{ring[i].x} * ring[i - 1].y;
  }
  return twice;
}

TEST(RiversTest, TwoStreamsJoinToTheNextOrder) {
  const Waters waters = WatersOf(101, ForkedValley);
  const std::vector<Reach> reaches = FindRivers(waters, FindLakes(waters), 200);
  ASSERT_EQ(reaches.size(), 3U);
  const Reach& below = reaches[2];
  EXPECT_EQ(below.order, 2);
  EXPECT_EQ(below.next, Reach::kNoReach);
  EXPECT_EQ(below.vertices.back() / 101, 100) << "leaves at the southern border";
  for (const std::size_t above : {0U, 1U}) {
    EXPECT_EQ(reaches[above].order, 1);
    EXPECT_EQ(reaches[above].next, 2U);
    EXPECT_EQ(reaches[above].vertices.back(), below.vertices.front());
    EXPECT_LT(reaches[above].flow_cells, below.flow_cells);
    // Ways along D8's directions are up to 1.42 times as long as a straight line.
    const double straight_m = 10 * std::hypot(reaches[above].vertices.size() - 1, 0);
    EXPECT_GE(reaches[above].length_m, straight_m);
    EXPECT_LE(reaches[above].length_m, 1.42 * straight_m);
  }
  EXPECT_GT(below.flow_cells, 0.8 * 101 * 101);
}

// Random bumps and pits are added after the flow is computed, so rivers must cross them.
TEST(RiversTest, NeverRunUphill) {
  Waters waters = WatersOf(101, ForkedValley);
  std::mt19937_64 random(7);
  for (std::int32_t& height : waters.height_q16.values) {
    height += Q16(static_cast<double>(random() % 1000) / 100);
  }
  const std::vector<Reach> reaches = FindRivers(waters, FindLakes(waters), 200);
  ASSERT_GE(reaches.size(), 3U);
  bool ground_rises = false;
  for (const Reach& reach : reaches) {
    for (std::size_t i = 1; i < reach.vertices.size(); ++i) {
      EXPECT_LE(reach.level_m[i], reach.level_m[i - 1]);
      const auto at = [&](std::size_t k) {
        return waters.height_q16.values[static_cast<std::size_t>(reach.vertices[k])];
      };
      EXPECT_GE(reach.level_m[i], Waters::Metres(at(i)));
      ground_rises = ground_rises || at(i) > at(i - 1);
    }
    if (reach.next != Reach::kNoReach) {
      EXPECT_EQ(reach.level_m.back(), reaches[reach.next].level_m.front());
    }
  }
  EXPECT_TRUE(ground_rises) << "the bed was to be rough";
}

// Rivers may end in a basin without an outlet. If they followed only filled ground, they would
// leave it.
TEST(RiversTest, MayEndInABasinWithoutAnOutlet) {
  constexpr int kSide = 81;
  const auto basin = [](int x, int y) { return 3 * std::hypot(x - 40, y - 40); };
  Waters waters = WatersOf(kSide, [&](int x, int y) { return 500 - basin(x, y); });
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      // Four rivers flow along the axes, from near the border to the middle.
      const bool on_axis = x == 40 || y == 40;
      const double way = 40 - std::max(std::abs(x - 40), std::abs(y - 40));
      waters.flow_q8.At(x, y) = on_axis && way > 5 ? static_cast<int>(256 * 20 * way) : 256;
      waters.height_q16.At(x, y) = Q16(basin(x, y));
    }
  }
  const std::vector<Reach> reaches = FindRivers(waters, FindLakes(waters), kMinFlow);
  ASSERT_EQ(reaches.size(), 4U);
  for (const Reach& reach : reaches) {
    EXPECT_EQ(reach.vertices.back(), 40 * kSide + 40);
    EXPECT_EQ(reach.level_m.back(), 0);
  }
}

// A river that is several cells wide is one line.
TEST(RiversTest, AWideRiverIsOneLine) {
  Waters waters = WatersOf(60, [](int x, int y) { return 200 - y + std::abs(x - 30); });
  for (int y = 0; y < 60; ++y) {
    for (int x = 28; x <= 32; ++x) waters.flow_q8.At(x, y) = 256 * 1000;
  }
  const std::vector<Reach> reaches = FindRivers(waters, FindLakes(waters), kMinFlow);
  EXPECT_EQ(std::ranges::max(reaches, {}, &Reach::length_m).order, 1);
  EXPECT_LE(reaches.size(), 1U);
}

// A minimum flow of 0 makes no sense, but is allowed.
TEST(RiversTest, AMinFlowOfZeroGivesEveryTrickle) {
  const Waters waters = WatersOf(101, ForkedValley);
  const std::vector<Reach> reaches = FindRivers(waters, FindLakes(waters), 0);
  EXPECT_GT(reaches.size(), 100U);
  EXPECT_TRUE(FindRivers(waters, FindLakes(waters), 1e9).empty());
}

TEST(RiversTest, WidthsEqualThoseOfTheCoverLayer) {
  EXPECT_DOUBLE_EQ(RiverWidthM(100e6), 9);
  EXPECT_DOUBLE_EQ(RiverWidthM(25e6), 4.5);
}

TEST(SinksTest, AreDeepPitsAndNotRoughness) {
  Grid<double> surface = FilledGrid(30, 30, 10.0);
  surface.At(10, 10) = 3;
  surface.At(20, 20) = 8;
  EXPECT_EQ(survey::DeepPits(surface, -1e6, 5), std::vector{10 * 30 + 10});
  EXPECT_EQ(survey::DeepPits(surface, -1e6, 1).size(), 2U);
  EXPECT_TRUE(survey::DeepPits(surface, 3, 5).empty()) << "water leaves at 3 and below";
  // A ditch to the border.
  for (int x = 0; x < 10; ++x) surface.At(x, 10) = 2;
  EXPECT_TRUE(survey::DeepPits(surface, -1e6, 5).empty());
}

TEST(LakesTest, AreLevelWaterAboveTheSea) {
  constexpr double kSea = 0;
  Waters waters{.cell_m = 2,
                .height_q16 = FilledGrid(20, 20, Q16(5)),
                .flow_q8 = FilledGrid(20, 20, 0),
                .water_q16 = FilledGrid(20, 20, Q16(5)),
                .sea_level_m = kSea};
  const auto put = [&](int x, int y, double level, double depth) {
    waters.water_q16.At(x, y) = Q16(level);
    waters.height_q16.At(x, y) = Q16(level - depth);
  };
  for (int y = 0; y < 20; ++y) put(0, y, kSea, 4);
  put(5, 5, kSea, 2);
  put(10, 10, 8, 1);
  put(11, 10, 8, 3);
  put(12, 10, 9, 1);
  // The two vertices touch only at a corner.
  put(12, 11, 8, 1);
  put(13, 12, 8, 1);
  const Lakes lakes = FindLakes(waters);
  ASSERT_EQ(lakes.lakes.size(), 5U);
  EXPECT_EQ(lakes.lakes[0].level_m, kSea) << "land surrounds it";
  EXPECT_EQ(lakes.lakes[1].level_m, 8);
  EXPECT_EQ(lakes.lakes[1].max_depth_m, 3);
  EXPECT_EQ(lakes.lakes[1].vertices.size(), 2U);
  EXPECT_EQ(lakes.lakes[2].level_m, 9) << "a step of the level is a dam";
  EXPECT_EQ(lakes.lake_of.At(0, 7), kNoLake) << "the sea reaches the border";
  EXPECT_EQ(lakes.lake_of.At(11, 10), 1);
}

// Rings around random blobs: their areas equal the number of cells, and no ring meets itself.
TEST(OutlineTest, ConsistsOfValidPolygons) {
  std::mt19937_64 random(11);
  int holes = 0;
  for (int n = 0; n < 200; ++n) {
    Waters waters{.height_q16 = FilledGrid(24, 24, 0),
                  .flow_q8 = FilledGrid(24, 24, 0),
                  .water_q16 = FilledGrid(24, 24, 0)};
    for (std::int32_t& level : waters.water_q16.values) level = random() % 8 < 5 ? 65536 : 0;
    const Lakes lakes = FindLakes(waters);
    for (std::size_t lake = 0; lake < lakes.lakes.size(); ++lake) {
      const auto& cells = lakes.lakes[lake].vertices;
      const auto rings = Outline(lakes.lake_of, static_cast<std::int32_t>(lake), cells);
      std::int64_t twice = 0;
      for (std::size_t ring = 0; ring < rings.size(); ++ring) {
        twice += TwiceArea(rings[ring]);
        EXPECT_EQ(TwiceArea(rings[ring]) > 0, ring == 0) << "one outer ring, and it is the first";
        EXPECT_EQ(rings[ring].front(), rings[ring].back());
        std::set<std::pair<int, int>> corners;
        for (const Corner& corner : rings[ring]) corners.emplace(corner.x, corner.y);
        EXPECT_EQ(corners.size() + 1, rings[ring].size()) << "seed 11, blob " << n;
      }
      holes += static_cast<int>(rings.size()) - 1;
      EXPECT_EQ(twice, 2 * static_cast<std::int64_t>(cells.size()));
    }
  }
  EXPECT_GT(holes, 100);
}

TEST(OutlineTest, HasVerticesOnlyWhereItTurns) {
  Grid<std::int32_t> labels = FilledGrid(9, 9, kNoLake);
  std::vector<std::int32_t> cells;
  for (int y = 2; y < 5; ++y) {
    for (int x = 3; x < 8; ++x) {
      labels.At(x, y) = 4;
      cells.push_back(static_cast<std::int32_t>(labels.Index(x, y)));
    }
  }
  const auto rings = Outline(labels, 4, cells);
  ASSERT_EQ(rings.size(), 1U);
  EXPECT_EQ(rings[0].size(), 5U);
}

}  // namespace
}  // namespace thalweg::hydrography
