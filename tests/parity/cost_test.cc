// The estimated cost of levels, compared with the clock.
#include "server/world/cost.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "proto/wire/tile_key.h"
#include "server/backend/chain.h"
#include "server/world/world_library.h"
#include "tests/parity/backends.h"
#include "tests/parity/random_planet.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

// A level's block, as the estimate has it and as it was measured.
struct Measured {
  std::string level;
  double cells = 0;
  double block_area = 0;
  double seconds = 0;
};

// The time of a block on a processor is that of all its threads, whatever else runs there.
double Seconds(const backend::Backend& backend) {
  const bool is_cpu = absl::StrContains(backend.device_name(), "llvmpipe");
  timespec time{};
  clock_gettime(is_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Computes one block of a level three times. The first time may compile kernels.
Measured Measure(backend::Backend& backend, const world::World& world, int level) {
  backend::Chain chain(backend, world.programs(), wire::kTileCells);
  const world::Surface& surface = *world.level(level).surface;
  // On planets a block in the middle of a face.
  const std::int64_t at = world.level(level).OnSphere() ? (std::int64_t{1} << level) / 2 : 5;
  const bool whole = surface.IsOneBlock(level);
  const world::BlockKey key{0, level, whole ? 0 : at, whole ? 0 : at};
  Measured measured{.level = absl::StrCat(world.name(), " level ", level)};
  measured.cells =
      static_cast<double>(world::LevelCosts(world.programs())[static_cast<std::size_t>(level)]);
  const double side = chain.shape(level).block_cells;
  measured.block_area = side * side;
  for (int run = 0; run < 3; ++run) {
    if (level > 0) {
      EXPECT_TRUE(chain.Block(world::ParentOf(surface, key, wire::kTileCells)).ok());
    }
    const double before = Seconds(backend);
    EXPECT_TRUE(chain.ComputeTogether({key}).ok()) << measured.level;
    const double seconds = Seconds(backend) - before;
    measured.seconds = run < 2 ? seconds : std::min(measured.seconds, seconds);
  }
  return measured;
}

std::vector<Measured> MeasureAll(backend::Backend& backend) {
  std::vector<Measured> all;
  const auto add = [&](const world::World& world, int level) {
    // The second level of a planet has no block that lies far from every edge of its face.
    if (level < world.levels() && !(level == 1 && world.level(1).OnSphere())) {
      all.push_back(Measure(backend, world, level));
    }
  };
  for (const auto& preset : world::WorldLibrary::OfPresets()->worlds()) {
    if (!IsExhaustive() && preset->name() != "alpine" && preset->name() != "red-planet") continue;
    for (const int level : {0, 1, 5, 11}) add(*preset, level);
  }
  for (std::uint64_t seed = 0; seed < FewOrAll(3u, 12u); ++seed) {
    Random random(seed);
    const auto world =
        seed % 3 == 2 ? RandomPlanet(random, 3) : RandomWorld(random, 3, FewOrAll(4, 24));
    for (const int level : {0, 2}) add(*world, level);
  }
  return all;
}

// The levels whose cost differs from the clock by more than a factor of two, where the whole of
// both is taken as equal.
std::string Wrong(const std::vector<Measured>& all,
                  const std::function<double(const Measured&)>& cost) {
  double costs = 0;
  double seconds = 0;
  for (const Measured& one : all) {
    costs += cost(one);
    seconds += one.seconds;
  }
  std::string wrong;
  for (const Measured& one : all) {
    const double ratio = cost(one) / one.seconds * seconds / costs;
    if (ratio < 0.5 || ratio > 2) absl::StrAppend(&wrong, one.level, ": ", ratio, " times\n");
  }
  return wrong;
}

TEST(CostTest, IsWithinTwiceTheClock) {
  backend::Backend* const backend = BackendOf("vulkan");
  ASSERT_NE(backend, nullptr);
  const std::vector<Measured> all = MeasureAll(*backend);
  EXPECT_EQ(Wrong(all, [](const Measured& one) { return one.cells; }), "");
  // The twin: the area of blocks says little about their cost.
  EXPECT_NE(Wrong(all, [](const Measured& one) { return one.block_area; }), "");
}

}  // namespace
}  // namespace thalweg::parity
