// Worlds at the ends of their ranges: nothing overflows, and what is true of gentle worlds stays
// true.
#include <algorithm>
#include <cstdlib>

#include "gtest/gtest.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {
namespace {

constexpr int kExtremeLevels = 3;
// A base is within 16 km. No level may raise or lower ground far beyond that.
constexpr std::int64_t kHighest = std::int64_t{24'000} * 65'536;

// The base of worlds with steep rivers, in metres.
constexpr int kBaseMiddle = 14'000;
constexpr int kBaseSpan = 900;

enum class Shape { kSteep, kFlat, kHigh, kDeep };

// A random world whose base is of this shape.
std::shared_ptr<const world::World> ExtremeWorld(Random& random, Shape shape) {
  v1::WorldSpec spec = RandomWorld(random, kExtremeLevels, 6)->spec();
  auto& noise = *spec.mutable_base()->mutable_fbm();
  noise.Clear();
  noise.set_wavelength_m(4 * spec.cell_size_m());
  noise.set_octaves(2);
  noise.set_amplitude(shape == Shape::kFlat ? 0 : shape == Shape::kSteep ? 15'000 : 300);
  noise.set_offset(shape == Shape::kHigh ? 15'000 : shape == Shape::kDeep ? -15'000 : 0);
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return *world;
}

class ExtremeTest : public testing::TestWithParam<const char*> {};

TEST_P(ExtremeTest, SteepFlatHighAndDeepWorldsStayWhole) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const Shape shape : {Shape::kSteep, Shape::kFlat, Shape::kHigh, Shape::kDeep}) {
      Random random(seed);
      const auto world = ExtremeWorld(random, shape);
      SCOPED_TRACE(testing::Message()
                   << "seed " << seed << ", shape " << static_cast<int>(shape) << "\n"
                   << world->spec().ShortDebugString());
      const std::int64_t far = (std::int64_t{1} << 46) + static_cast<std::int64_t>(seed);
      const Vertices region{far, -far, 50, 40};
      Chain small(*backend, world->programs(), 32);
      Chain large(*backend, world->programs(), 64);
      const auto heights = large.Read(kExtremeLevels - 1, region);
      EXPECT_EQ(Difference(heights, small.Read(kExtremeLevels - 1, region), region.width), "");
      for (const std::int32_t height : heights) {
        ASSERT_LE(std::abs(std::int64_t{height}), kHighest);
      }
    }
  }
}

// A world of 1 to 3 levels, with rivers as steep as a world may have them on a high base.
std::shared_ptr<const world::World> SteepestRivers(Random& random) {
  const auto below = [&](std::uint32_t count) {
    return static_cast<std::uint32_t>(random() % count);
  };
  v1::WorldSpec spec;
  spec.set_name("steep");
  spec.set_seed(random());
  spec.set_levels(1 + below(3));
  spec.set_base_level(below(3));
  spec.set_cell_size_m(16 << below(9));
  auto& noise = *spec.mutable_base()->mutable_fbm();
  noise.set_wavelength_m(64 * spec.cell_size_m());
  noise.set_octaves(2);
  noise.set_amplitude(kBaseSpan);
  noise.set_offset(kBaseMiddle);
  for (std::uint32_t level = 0; level < spec.levels(); ++level) {
    v1::LevelRule& rule = *spec.add_rules();
    rule.set_from_level(level);
    rule.set_to_level(level);
    rule.mutable_detail()->set_roughness(0.01 * below(2));
    for (std::uint32_t count = 1 + below(2); count > 0; --count) {
      v1::Rivers& rivers = *rule.add_stages()->mutable_rivers();
      rivers.set_steps(1U << below(6));
      rivers.set_path(1U << (1 + below(4)));
      rivers.set_fills(1 + below(24));
      rivers.set_drainage(4);
      rivers.set_steepness(1000);
      rivers.set_concavity(0.1 + 0.05 * below(8));
      rivers.set_repose_deg(80 - below(60));
      rivers.set_wander(0.5 * below(3));
      rivers.set_slides(below(3));
    }
  }
  // One level after another gets gentler slopes, or fewer steps, until the world is allowed.
  for (int tries = 0; tries < 2000; ++tries) {
    auto world = world::World::Create(spec);
    if (world.ok()) return *world;
    v1::LevelRule& rule = *spec.mutable_rules(static_cast<int>(below(spec.levels())));
    for (v1::Stage& stage : *rule.mutable_stages()) {
      v1::Rivers& rivers = *stage.mutable_rivers();
      rivers.set_repose_deg(std::max(1.0, 0.9 * rivers.repose_deg()));
      if (rivers.repose_deg() == 1) rivers.set_steps(std::max(1U, rivers.steps() / 2));
    }
  }
  ADD_FAILURE() << "no climb is allowed: " << spec.ShortDebugString();
  return nullptr;
}

TEST(ExtremeRiversTest, MountainsStayInTheRangeOfHeights) {
  backend::Backend* const backend = BackendOf("reference");
  ASSERT_NE(backend, nullptr);
  const std::uint64_t worlds = FewOrAll<std::uint64_t>(100, 3000);
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    Random random(seed);
    const auto world = SteepestRivers(random);
    ASSERT_NE(world, nullptr);
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << world->spec().ShortDebugString());
    Chain chain(*backend, world->programs(), 64);
    for (int level = 0; level < static_cast<int>(world->spec().levels()); ++level) {
      const auto heights = chain.Read(level, {0, 0, 64, 64});
      // No ground is far below the base, so a negative height is one that wrapped.
      ASSERT_GT(*std::min_element(heights.begin(), heights.end()), 0) << "level " << level;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ExtremeTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
