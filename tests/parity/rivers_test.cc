// Rivers that go through all levels.
#include "shaders/kernels/rivers.glsl"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "server/world/world.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {
namespace {

constexpr int kLevels = 5;
constexpr int kLast = kLevels - 1;
constexpr int kRegion = 160;

// Land and sea, steep and gentle, rivers at every level.
std::vector<world::LevelProgram> Programs(std::uint64_t seed, const std::string& more = "") {
  const std::string text =
      absl::StrCat(R"(name: "rivers" seed: )", seed, R"( cell_size_m: 4096 levels: )", kLevels, R"(
      sea_level_m: 0
      base { sum { nodes { fbm { wavelength_m: 160000 amplitude: 400 octaves: 4 } }
                   nodes { constant: 100 } } }
      steepness { curve { source { fbm { wavelength_m: 90000 octaves: 2 salt: 2 } }
                          points { in: -0.3 out: 0.3 } points { in: 0.3 out: 2 } } }
      rules { to_level: 0 stages { rivers { path: 16 fills: 32 steps: 32 floor_width: 0.1 trough: 0.5 )",
                   more, R"( } } }
      rules { from_level: 1 stages { rivers { floor_width: 0.1 trough: 0.5 )",
                   more, "} } }");
  v1::WorldSpec spec;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &spec)) << text;
  const auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return (*world)->programs();
}

class RiversTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  backend::Backend* backend_ = nullptr;
};
using RiversOfManySeedsTest = RiversTest;

TEST_P(RiversTest, BlockSizeCannotBeSeen) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(1U, 2U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto programs = Programs(seed);
    Chain small(*backend_, programs, 32);
    Chain large(*backend_, programs, 128);
    for (const std::int64_t origin : {std::int64_t{-70}, (std::int64_t{1} << 40) - 33}) {
      const Vertices region{origin, -origin, 90, 70};
      for (const auto layer :
           {backend::Layer::kHeight, backend::Layer::kFlow, backend::Layer::kWay}) {
        EXPECT_EQ(Difference(large.Read(kLast, region, layer), small.Read(kLast, region, layer),
                             region.width),
                  "");
      }
    }
  }
}

// Counts of the ways in a square of land.
struct Ways {
  int land = 0;
  int lost = 0;    // vertices of land whose way ends there
  int uphill = 0;  // ways whose next vertex is not lower
  int shrink = 0;  // ways that drain over 100 cells, but whose next vertex drains less than half
};

// Takes heights from one world and ways from another one. Only the twin passes two worlds.
Ways WaysOf(Chain& ground, Chain& rivers) {
  const Vertices region{300, -100, kRegion, kRegion};
  const auto height = ground.Read(kLast, region);
  const auto way = rivers.Read(kLast, region, backend::Layer::kWay);
  Ways ways;
  for (int row = 1; row + 1 < kRegion; ++row) {
    for (int column = 1; column + 1 < kRegion; ++column) {
      const auto i = static_cast<std::size_t>(std::int64_t{row} * kRegion + column);
      if (height[i] <= 0) continue;
      ++ways.land;
      const int direction = kernels::riverDirection(way[i]);
      EXPECT_TRUE(kernels::isRiverKnown(way[i]));
      if (direction == kernels::kWayEnds) {
        ++ways.lost;
        continue;
      }
      const glm::ivec2 to = kernels::neighbour(direction);
      const auto next =
          static_cast<std::size_t>(std::int64_t{row + to.y} * kRegion + column + to.x);
      if (height[next] >= height[i]) ++ways.uphill;
      const auto cells = kernels::areaOf(kernels::riverArea(way[i]));
      const auto next_cells = kernels::areaOf(kernels::riverArea(way[next]));
      const bool ends = kernels::riverDirection(way[next]) == kernels::kWayEnds;
      if (cells > 100 && !ends && next_cells < cells / 2) ++ways.shrink;
    }
  }
  return ways;
}

TEST_P(RiversTest, EveryRiverRunsDownToTheSea) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(2U, 4U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Chain chain(*backend_, Programs(seed), 256);
    const Ways ways = WaysOf(chain, chain);
    EXPECT_GT(ways.land, kRegion * kRegion / 4);
    EXPECT_LE(ways.lost, ways.land / 2000);
    EXPECT_LE(ways.uphill, ways.land / 2000);
    EXPECT_LE(ways.shrink, ways.land / 2000);
  }
}

// The twin: the ways of another world go up as often as down.
TEST_P(RiversTest, RiversOfAnotherWorldRunUphillToo) {
  Chain ground(*backend_, Programs(1), 256);
  Chain rivers(*backend_, Programs(2), 256);
  const Ways ways = WaysOf(ground, rivers);
  EXPECT_GT(ways.uphill, ways.land / 4);
}

// How many rivers were followed for some steps, from vertices that much ground drains to, and how
// many of them kept to one of the grid's eight directions.
struct Reaches {
  int all = 0;
  int straight = 0;
};

void Follow(Chain& chain, Reaches& reaches) {
  constexpr int kSteps = 8;
  constexpr std::uint64_t kMin = 30;
  const Vertices region{300, -100, kRegion, kRegion};
  const auto way = chain.Read(kLast, region, backend::Layer::kWay);
  for (int start = 0; start < kRegion * kRegion; ++start) {
    if (kernels::areaOf(kernels::riverArea(way[static_cast<std::size_t>(start)])) < kMin) continue;
    glm::ivec2 at{start % kRegion, start / kRegion};
    std::set<int> directions;
    int taken = 0;
    for (; taken < kSteps; ++taken) {
      if (std::min(at.x, at.y) < 0 || std::max(at.x, at.y) >= kRegion) break;
      const int direction = kernels::riverDirection(
          way[static_cast<std::size_t>(std::int64_t{at.y} * kRegion + at.x)]);
      if (direction == kernels::kWayEnds) break;
      directions.insert(direction);
      at += kernels::neighbour(direction);
    }
    if (taken < kSteps) continue;
    ++reaches.all;
    if (directions.size() == 1) ++reaches.straight;
  }
}

double StraightShare(backend::Backend& backend, const std::string& more) {
  const int seeds = FewOrAll(2, 8);
  Reaches reaches;
  for (int seed = 1; seed <= seeds; ++seed) {
    Chain chain(backend, Programs(static_cast<std::uint64_t>(seed), more), 256);
    Follow(chain, reaches);
  }
  EXPECT_GT(reaches.all, 375 * seeds);
  return static_cast<double>(reaches.straight) / reaches.all;
}

// If the direction of each step were random, hardly any river would keep to one for so long.
TEST_P(RiversOfManySeedsTest, RiversDoNotFollowTheGrid) {
  EXPECT_LE(StraightShare(*backend_, ""), 0.04);
}

// The twin: rivers of plain steepest descent do.
TEST_P(RiversOfManySeedsTest, SteepestDescentFollowsTheGrid) {
  EXPECT_GE(StraightShare(*backend_, "displacement: 0 wander: 0"), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Backends, RiversTest, kDevicesOfLaws, NameOfDevice);
INSTANTIATE_TEST_SUITE_P(Backends, RiversOfManySeedsTest, kDevicesOfStatistics, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
