// Ground finer than hillslopes: rivers run through all its levels, and blocks can't be seen.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

// The last level of rivers, with cells of 16 m, and the levels of ground below it.
constexpr int kRivers = 4;
constexpr int kGroundLevels = kRivers + 1 + 4;
constexpr double kChannelM2 = 15'000;
constexpr double kRiversCellM = 16;

std::shared_ptr<const world::World> GroundWorld(std::uint64_t seed) {
  v1::WorldSpec spec;
  spec.set_name("ground");
  spec.set_seed(seed);
  spec.set_levels(kGroundLevels);
  spec.set_cell_size_m(kRiversCellM * (1 << kRivers));
  auto& base = *spec.mutable_base()->mutable_fbm();
  base.set_wavelength_m(20'000);
  base.set_amplitude(900);
  base.set_octaves(5);
  v1::LevelRule& coarse = *spec.add_rules();
  coarse.set_to_level(kRivers);
  v1::Rivers& rivers = *coarse.add_stages()->mutable_rivers();
  rivers.set_steepness(8);
  rivers.set_channel_area_m2(kChannelM2);
  v1::LevelRule& fine = *spec.add_rules();
  fine.set_from_level(kRivers + 1);
  Random random(seed);
  *fine.add_stages() = RandomGround(random);
  fine.mutable_stages(0)->mutable_ground()->mutable_rivers()->set_from_area_m2(kChannelM2);
  fine.mutable_stages(0)->mutable_ground()->set_displacement(0.9);
  fine.mutable_stages(0)->mutable_ground()->clear_coast();  // no sea
  auto created = world::World::Create(spec);
  EXPECT_TRUE(created.ok()) << created.status();
  return created.ok() ? *created : nullptr;
}

// Vertices of a level.
struct Ground {
  Vertices at;
  std::vector<std::int32_t> height;
  std::vector<std::int32_t> flow;

  std::size_t Index(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>((y - at.y) * at.width + x - at.x);
  }
  // Whether the vertex and its neighbours are here.
  bool HasAround(std::int64_t x, std::int64_t y) const {
    return x > at.x && y > at.y && x + 1 < at.x + at.width && y + 1 < at.y + at.height;
  }
};

Ground Read(Chain& chain, int level, const Vertices& at) {
  return {at, chain.Read(level, at), chain.Read(level, at, Layer::kFlow)};
}

// More than the flow that a level's hillsides have.
bool IsRiver(std::int32_t flow, int level) {
  const double cells = kChannelM2 / (kRiversCellM * kRiversCellM);
  return flow > 256 * 1.05 * cells * (1 << (level - kRivers));
}

// A vertex of a level.
struct Vertex {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

// The end of the way from a river's vertex to the lowest vertex around, again and again, as long as
// it falls.
Vertex FollowDown(const Ground& ground, Vertex from, int level) {
  while (ground.HasAround(from.x, from.y)) {
    Vertex lowest = from;
    for (int k = 0; k < 9; ++k) {
      const Vertex next{from.x + k % 3 - 1, from.y + k / 3 - 1};
      const std::size_t i = ground.Index(next.x, next.y);
      if (!IsRiver(ground.flow[i], level)) continue;
      if (ground.height[i] < ground.height[ground.Index(lowest.x, lowest.y)]) lowest = next;
    }
    if (lowest.x == from.x && lowest.y == from.y) break;
    from = lowest;
  }
  return from;
}

class GroundTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  backend::Backend* backend_ = nullptr;
};

TEST_P(GroundTest, BlockSizeCannotBeSeen) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(2U, 6U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto programs = GroundWorld(seed)->programs();
    Chain small(*backend_, programs, 128);
    Chain large(*backend_, programs, 256);
    for (int level = kRivers + 1; level < kGroundLevels; ++level) {
      // Across the corner of four blocks of either size.
      const Vertices region{-50, 256 - 40, 90, 70};
      for (const Layer layer : {Layer::kHeight, Layer::kFlow}) {
        EXPECT_EQ(Difference(large.Read(level, region, layer), small.Read(level, region, layer),
                             region.width),
                  "")
            << level;
      }
    }
  }
}

// A river of the coarsest level of ground is there at every finer one, and falls all along its way.
TEST_P(GroundTest, RiversStayRiversAtEveryLevel) {
  int followed = 0;
  const int wanted = FewOrAll(60, 200);
  for (std::uint64_t seed = 1; seed <= 40 && followed < wanted; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Chain chain(*backend_, GroundWorld(seed)->programs(), 256);
    const Vertices first{-60, -60, 120, 120};
    Ground coarse = Read(chain, kRivers + 1, first);
    for (int level = kRivers + 2; level < kGroundLevels; ++level) {
      const int scale = 1 << (level - kRivers - 1);
      const Ground fine =
          Read(chain, level, {first.x * scale, first.y * scale, 119 * scale + 1, 119 * scale + 1});
      for (std::int64_t y = first.y + 3; y < first.y + 117; y += 7) {
        for (std::int64_t x = first.x + 3; x < first.x + 117; x += 7) {
          if (!IsRiver(coarse.flow[coarse.Index(x, y)], kRivers + 1)) continue;
          ++followed;
          // The finer level has a river within a coarse cell, which falls to the rim of the square.
          Vertex begin;
          bool found = false;
          for (std::int64_t v = (y - 1) * scale; v <= (y + 1) * scale; ++v) {
            for (std::int64_t u = (x - 1) * scale; u <= (x + 1) * scale; ++u) {
              if (!IsRiver(fine.flow[fine.Index(u, v)], level)) continue;
              begin = {u, v};
              found = true;
            }
          }
          ASSERT_TRUE(found) << "level " << level << " at " << x << ", " << y;
          const Vertex end = FollowDown(fine, begin, level);
          const Vertex coarse_end = FollowDown(coarse, {x, y}, kRivers + 1);
          EXPECT_EQ(fine.HasAround(end.x, end.y), coarse.HasAround(coarse_end.x, coarse_end.y))
              << "level " << level << " from " << begin.x << ", " << begin.y << " to " << end.x
              << ", " << end.y;
        }
      }
    }
  }
  EXPECT_GE(followed, wanted);
}

// The twin: without the stage's rivers, flow is lost from level to level.
TEST_P(GroundTest, RiversEndWithoutTheStagesRivers) {
  auto spec = GroundWorld(1)->spec();
  spec.mutable_rules(1)->mutable_stages(0)->mutable_ground()->clear_rivers();
  const auto created = world::World::Create(spec);
  ASSERT_TRUE(created.ok()) << created.status();
  Chain chain(*backend_, (*created)->programs(), 256);
  const Ground ground = Read(chain, kGroundLevels - 1, {-400, -400, 800, 800});
  int rivers = 0;
  int pits = 0;
  for (std::int64_t y = ground.at.y + 1; y + 1 < ground.at.y + 799; ++y) {
    for (std::int64_t x = ground.at.x + 1; x + 1 < ground.at.x + 799; ++x) {
      if (!IsRiver(ground.flow[ground.Index(x, y)], kGroundLevels - 1)) continue;
      ++rivers;
      const Vertex end = FollowDown(ground, {x, y}, kGroundLevels - 1);
      if (end.x == x && end.y == y) ++pits;
    }
  }
  EXPECT_TRUE(rivers == 0 || pits > 20) << rivers << " vertices of rivers, " << pits << " pits";
}

INSTANTIATE_TEST_SUITE_P(Backends, GroundTest, kDevicesOfLaws, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
