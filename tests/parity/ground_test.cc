// Ground finer than hillslopes: rivers run through all its levels, and blocks can't be seen.
#include <cstdint>
#include <memory>

#include "gtest/gtest.h"
#include "server/world/world.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/river_walk.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

// The last level of rivers, with cells of 16 m, and the levels of ground below it.
constexpr int kRivers = 4;
constexpr int kGroundLevels = kRivers + 1 + 4;

std::shared_ptr<const world::World> GroundWorld(std::uint64_t seed) {
  v1::WorldSpec spec = SpecOfRivers(seed, kRivers, kGroundLevels);
  spec.set_cell_size_m(kRiversCellM * (1 << kRivers));
  auto created = world::World::Create(spec);
  EXPECT_TRUE(created.ok()) << created.status();
  return created.ok() ? *created : nullptr;
}

RiverGround Read(Chain& chain, int level, const Vertices& at) {
  return ReadRivers(at, level - kRivers, [&](Layer layer) { return chain.Read(level, at, layer); });
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
    const RiverGround coarse = Read(chain, kRivers + 1, first);
    for (int level = kRivers + 2; level < kGroundLevels; ++level) {
      const int scale = 1 << (level - kRivers - 1);
      const RiverGround fine =
          Read(chain, level, {first.x * scale, first.y * scale, 119 * scale + 1, 119 * scale + 1});
      const Walked walked = WalkRivers(coarse, fine, scale);
      EXPECT_EQ(walked.lost, "") << "level " << level;
      followed += walked.rivers;
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
  const RiverGround ground = Read(chain, kGroundLevels - 1, {-400, -400, 800, 800});
  int rivers = 0;
  int pits = 0;
  for (std::int64_t y = ground.at.y + 1; y + 1 < ground.at.y + 799; ++y) {
    for (std::int64_t x = ground.at.x + 1; x + 1 < ground.at.x + 799; ++x) {
      if (!ground.IsRiver(x, y)) continue;
      ++rivers;
      const GroundVertex end = FollowDown(ground, {x, y});
      if (end.x == x && end.y == y) ++pits;
    }
  }
  EXPECT_TRUE(rivers == 0 || pits > 20) << rivers << " vertices of rivers, " << pits << " pits";
}

INSTANTIATE_TEST_SUITE_P(Backends, GroundTest, kDevicesOfLaws, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
