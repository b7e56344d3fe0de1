// Worlds at the limits of their fields: no height wraps around, and none leaves what its parent's
// ground, its detail and its stages allow.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "proto/base/world_text.h"
#include "server/world/base_bound.h"
#include "server/world/constraints.h"
#include "server/world/named_nodes.h"
#include "shaders/kernels/exact.glsl"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/faces.h"
#include "tests/parity/limits_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

constexpr int kMaxLevels = 3;
// What a block of 256 cells may cost, so that a world takes seconds at most.
constexpr std::int64_t kMaxBlockCells = 600'000;

struct Range {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;

  void Add(double height) {
    low = std::min(low, height);
    high = std::max(high, height);
  }
  double width() const { return high - low; }
  Range Grown(double by) const { return {low - by, high + by}; }
};

double UnitsOf(double metres) { return std::ldexp(metres, 16); }

const v1::LevelRule& RuleAt(const v1::WorldSpec& spec, int level) {
  return spec.rules(world::RuleOf(spec, level));
}

// How far the stages and the detail of a level may raise or lower ground beyond the range of what
// is around it, which is `width` wide. Generous: a height that has wrapped around is 65 km off.
double Allowance(const v1::WorldSpec& spec, int level, double width) {
  const v1::LevelRule& rule = RuleAt(spec, level);
  const double cell = UnitsOf(std::ldexp(spec.cell_size_m(), -level));
  // The kernel (-1, 9, 9, -1) / 16 along both axes, for the ground and again where it is displaced.
  double allowance = width;
  // Noise is below twice its amplitude.
  allowance += 2 * cell * (rule.detail().roughness() + rule.detail().slope_roughness());
  for (const v1::Stage& stage : rule.stages()) {
    if (stage.has_rebound()) allowance += width;
    if (stage.has_rivers()) allowance += 2 * UnitsOf(*world::ClimbM(spec));
    if (stage.has_ground()) allowance += 64 * std::min(cell, UnitsOf(1024)) + UnitsOf(1000);
  }
  return allowance;
}

// What a level without a parent starts from.
Range BaseRange(const v1::WorldSpec& spec) {
  const auto base = world::Expanded(spec, "base", spec.base());
  const double bound = UnitsOf(std::min(16'000.0, world::LargestValue(*base)));
  return {-bound, bound};
}

// Changes the heights of a block before they are looked at.
using Spoil = std::function<void(std::vector<std::int32_t>& heights)>;

// The range of a block's result, its apron included, in all its windows.
Range RangeOf(backend::Backend& backend, const backend::Block& block, const Spoil& spoil = {}) {
  Range range;
  const int side = block.shape().ResultSide();
  std::vector<std::int32_t> heights(static_cast<std::size_t>(side) *
                                    static_cast<std::size_t>(side));
  for (int window = 0; window < block.windows(); ++window) {
    const absl::Status read =
        backend.Read(block, Layer::kHeight, {0, 0, side, side}, heights, window);
    EXPECT_TRUE(read.ok()) << read;
    if (spoil) spoil(heights);
    for (const std::int32_t height : heights) range.Add(height);
  }
  return range;
}

int BlockCells(const world::World& world) {
  if (world.spec().has_sphere()) return kFaceBlock;
  int margin = 0;
  for (const world::BlockShape& shape : world::BlockShapes(world.programs(), kFaceBlock)) {
    margin = std::max(margin, shape.Margin());
  }
  return margin < 48 ? 64 : 128;
}

// The first level and block where a height leaves what is allowed; "" if there is none.
std::string FirstTear(backend::Backend& backend, const world::World& world,
                      const Spoil& spoil = {}) {
  const v1::WorldSpec& spec = world.spec();
  const int block_cells = BlockCells(world);
  Chain chain(backend, world.programs(), block_cells);
  for (int level = 0; level < world.levels(); ++level) {
    world::BlockKey key;
    key.level = level;
    const world::FaceLayout& surface = *world.level(level).surface;
    Range before = BaseRange(spec);
    if (level > static_cast<int>(spec.base_level())) {
      before = RangeOf(backend, *chain.Block(world::ParentOf(surface, key, block_cells)));
    }
    // Rivers end there, and lakes fill to there.
    if (spec.has_sea_level_m()) before.Add(UnitsOf(spec.sea_level_m()));
    if (spec.has_base_level_m()) before.Add(UnitsOf(spec.base_level_m()));
    Range allowed = before.Grown(Allowance(spec, level, before.width()));
    allowed.low = std::max<double>(allowed.low, -kernels::kHighestGround);
    allowed.high = std::min<double>(allowed.high, kernels::kHighestGround);
    const Range range = RangeOf(backend, *chain.Block(key), spoil);
    if (range.low >= allowed.low && range.high <= allowed.high) continue;
    return absl::StrCat("level ", level, ": ", std::ldexp(range.low, -16), " to ",
                        std::ldexp(range.high, -16), " m, allowed are ",
                        std::ldexp(allowed.low, -16), " to ", std::ldexp(allowed.high, -16), " m");
  }
  return "";
}

std::shared_ptr<const world::World> WorldOfJson(const std::string& json) {
  const auto spec = text::WorldFromJson(json);
  EXPECT_TRUE(spec.ok()) << spec.status();
  auto world = world::World::Create(*spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return *world;
}

TEST(LimitsTest, HeightsOfRandomWorldsAreContinuous) {
  backend::Backend* const backend = BackendOf("reference");
  ASSERT_NE(backend, nullptr);
  const std::uint64_t worlds = FewOrAll<std::uint64_t>(24, 1'000);
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    Random random(seed);
    const auto world = WorldAtLimits(random, kMaxLevels, kMaxBlockCells);
    ASSERT_NE(world, nullptr);
    EXPECT_EQ(FirstTear(*backend, *world), "") << "seed " << seed << "\n"
                                               << world->spec().ShortDebugString();
  }
}

// The twin: a height that has wrapped around is found.
TEST(LimitsTest, ATearIsNoticed) {
  backend::Backend* const backend = BackendOf("reference");
  ASSERT_NE(backend, nullptr);
  const auto wrap = [](std::vector<std::int32_t>& heights) {
    std::int32_t& height = heights[heights.size() / 2];
    height = static_cast<std::int32_t>(static_cast<std::uint32_t>(height) + (1U << 31));
  };
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    const auto world = WorldAtLimits(random, kMaxLevels, kMaxBlockCells);
    ASSERT_NE(world, nullptr);
    EXPECT_NE(FirstTear(*backend, *world, wrap), "") << "seed " << seed;
  }
  // Where the ground is flat, less is enough.
  const auto flat = WorldOfJson(
      R"({"name": "flat", "levels": 2, "base": {"constant": 0}, "rules": [{"stages": []}]})");
  const auto raise = [](std::vector<std::int32_t>& heights) { heights.front() += 2'000 << 16; };
  EXPECT_NE(FirstTear(*backend, *flat, raise), "");
}

// Heights of these wrapped around: between large cells ground overshoots, and detail is higher than
// the range of heights.
TEST(LimitsTest, HeightsOfLargeCellsDoNotWrapAround) {
  const auto craters = WorldOfJson(
      R"({"name": "craters", "sphere": {"radius_m": 1e8}, "levels": 2,
          "base": {"craters": {"wavelength_m": 6e7}}, "rules": [{"stages": []}]})");
  const auto rough = WorldOfJson(
      R"({"name": "rough", "sphere": {"radius_m": 1e8}, "levels": 2, "base": {"constant": 0},
          "rules": [{"detail": {"roughness": 1, "slope_roughness": 1}}]})");
  const auto silted = WorldOfJson(
      R"({"name": "silted", "sphere": {"radius_m": 1e8}, "levels": 1, "base": {"fbm": {"wavelength_m": 1e7,
          "amplitude": 300}}, "rules": [{"stages": [{"pools": {"silt": 1}}]}]})");
  for (const auto& world : {craters, rough, silted}) {
    for (const char* const device : {"reference", "native"}) {
      backend::Backend* const backend = BackendOf(device);
      if (backend == nullptr) continue;
      EXPECT_EQ(FirstTear(*backend, *world), "") << world->name() << " on " << device;
    }
  }
}

}  // namespace
}  // namespace thalweg::parity
