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

INSTANTIATE_TEST_SUITE_P(Backends, ExtremeTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
