// A tile's deviation from its parent is measured on the heights that are shown.
#include "server/world/height_curve.h"

#include <algorithm>
#include <cstdlib>

#include "gtest/gtest.h"
#include "server/world/world.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {
namespace {

constexpr int kCells = 64;

std::vector<world::LevelProgram> SteppedPrograms(bool curved) {
  v1::WorldSpec spec;
  spec.set_name("steps");
  spec.set_seed(3);
  spec.set_cell_size_m(64);
  spec.set_levels(2);
  v1::Noise& hills = *spec.mutable_base()->mutable_fbm();
  hills.set_wavelength_m(3000);
  hills.set_amplitude(300);
  spec.add_rules();
  if (curved) {
    for (const auto& [in, out] : {std::pair(-50.0, -50.0), {0.0, -45.0}, {10.0, 120.0}}) {
      v1::Point& point = *spec.mutable_height_curve()->add_points();
      point.set_in(in);
      point.set_out(out);
    }
  }
  return (*world::World::Create(spec))->programs();
}

class HeightCurveParityTest : public testing::TestWithParam<const char*> {};

// The largest distance of a block's vertices from its parent's surface, after the curve on both.
std::int32_t LargestDistance(Chain& chain, std::span<const kernels::BaseInstruction> curve) {
  auto heights = chain.Read(1, {0, 0, kCells + 1, kCells + 1});
  constexpr int kParents = kCells / 2 + 1;
  auto parents = chain.Read(0, {0, 0, kParents + 1, kParents + 1});
  for (auto* const plane : {&heights, &parents}) {
    for (std::int32_t& height : *plane) height = world::ShownHeight(height, curve);
  }
  std::int64_t largest = 0;
  for (int y = 0; y <= kCells; ++y) {
    for (int x = 0; x <= kCells; ++x) {
      const auto parent = [&](int dx, int dy) {
        const int place = (y / 2 + dy) * (kParents + 1) + x / 2 + dx;
        return std::int64_t{parents[static_cast<std::size_t>(place)]};
      };
      const int east = x % 2;
      const int south = y % 2;
      const std::int64_t sum =
          parent(0, 0) + parent(east, 0) + parent(0, south) + parent(east, south);
      const int here = y * (kCells + 1) + x;
      const std::int64_t height = heights[static_cast<std::size_t>(here)];
      largest = std::max(largest, std::abs(height - (sum >> 2)));
    }
  }
  return static_cast<std::int32_t>(largest);
}

TEST_P(HeightCurveParityTest, DeviationsUseShownHeights) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  const auto programs = SteppedPrograms(true);
  Chain chain(*backend, programs, kCells);
  const auto deviations = backend->ReadDeviations(*chain.Block({0, 1, 0, 0}));
  ASSERT_TRUE(deviations.ok()) << deviations.status();
  const std::int32_t largest = *std::max_element(deviations->begin(), deviations->end());
  EXPECT_EQ(largest, LargestDistance(chain, programs[1].height_curve()));
  // The twin: without the curve, heights deviate by another amount.
  EXPECT_NE(largest, LargestDistance(chain, {}));
}

// A curve changes only the heights that are shown: blocks are the same without it.
TEST_P(HeightCurveParityTest, BlocksAreTheSameWithoutTheCurve) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  Chain curved(*backend, SteppedPrograms(true), kCells);
  Chain plain(*backend, SteppedPrograms(false), kCells);
  const Vertices region{-40, 20, 100, 90};
  EXPECT_EQ(curved.Read(1, region), plain.Read(1, region));
}

// Levels 0 and 1 are plain, and 2 and 3 are ground. A curve, if any, raises all ground by 100 m.
std::vector<world::LevelProgram> GroundPrograms(bool raised) {
  v1::WorldSpec spec;
  spec.set_name("ground");
  spec.set_seed(5);
  spec.set_cell_size_m(64);
  spec.set_levels(4);
  v1::Noise& hills = *spec.mutable_base()->mutable_fbm();
  hills.set_wavelength_m(3000);
  hills.set_amplitude(300);
  spec.add_rules()->set_to_level(1);
  v1::LevelRule& fine = *spec.add_rules();
  fine.set_from_level(2);
  fine.add_stages()->mutable_ground()->mutable_soil();
  if (raised) {
    for (const double height : {-2000.0, 2000.0}) {
      v1::Point& point = *spec.mutable_height_curve()->add_points();
      point.set_in(height);
      point.set_out(height + 100);
    }
  }
  return (*world::World::Create(spec))->programs();
}

// Blocks above ground have shown heights, and ground stands on these: the curve counts once.
TEST_P(HeightCurveParityTest, GroundStandsOnShownHeights) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  Chain raised(*backend, GroundPrograms(true), kCells);
  Chain plain(*backend, GroundPrograms(false), kCells);
  const Vertices region{-40, 20, 100, 90};
  for (int level = 0; level < 4; ++level) {
    std::vector<std::int32_t> expected = plain.Read(level, region);
    for (std::int32_t& height : expected) height += level == 0 ? 0 : 100 * 65536;
    EXPECT_EQ(raised.Read(level, region), expected) << level;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, HeightCurveParityTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
