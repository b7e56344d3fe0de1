// The estimated cost of levels, compared with the clock.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmark/benchmark.h"
#include "proto/wire/tile_key.h"
#include "server/backend/chain.h"
#include "server/backend/host/host_backend.h"
#include "server/world/cost.h"
#include "server/world/world_library.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/parity/random_planet.h"
#include "tests/parity/random_world.h"

namespace thalweg::bench {
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
  const bool is_cpu = dynamic_cast<const backend::HostBackend*>(&backend) != nullptr ||
                      absl::StrContains(backend.device_name(), "llvmpipe");
  timespec time{};
  clock_gettime(is_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Computes one block of a level three times. The first time may compile kernels. Its time is 0
// after an error.
Measured Measure(backend::Backend& backend, const world::World& world, int level) {
  backend::Chain chain(backend, world.programs(), wire::kTileCells);
  const world::FaceLayout& surface = *world.level(level).surface;
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
    if (level > 0 && !chain.Block(world::ParentOf(surface, key, wire::kTileCells)).ok())
      return measured;
    const double before = Seconds(backend);
    if (!chain.ComputeTogether({key}).ok()) return measured;
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
    for (const int level : {0, 1, 5, 11, 14}) add(*preset, level);
  }
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    parity::Random random(seed);
    const auto world =
        seed % 3 == 2 ? parity::RandomPlanet(random, 3) : parity::RandomWorld(random, 3, 24);
    for (const int level : {0, 2}) add(*world, level);
  }
  return all;
}

// The range of the levels' cost divided by their time, where the whole of both is taken as equal.
struct Range {
  double least = 1;
  double greatest = 1;
  // The levels that lie outside 0.5 to 2.
  std::string wrong;
};

Range RangeOf(const std::vector<Measured>& all,
              const std::function<double(const Measured&)>& cost) {
  double costs = 0;
  double seconds = 0;
  for (const Measured& one : all) {
    costs += cost(one);
    seconds += one.seconds;
  }
  Range range;
  for (const Measured& one : all) {
    const double ratio = cost(one) / one.seconds * seconds / costs;
    range.least = std::min(range.least, ratio);
    range.greatest = std::max(range.greatest, ratio);
    if (ratio < 0.5 || ratio > 2)
      absl::StrAppendFormat(&range.wrong, "%s: %.2f; ", one.level, ratio);
  }
  return range;
}

// Beside the cost's range stands that of the area of blocks, which says little about their time.
void EstimatedCost(benchmark::State& state, const std::string& device) {
  std::vector<Measured> all;
  for (auto _ : state) all = MeasureAll(Device(device));
  for (const Measured& one : all) {
    if (one.seconds <= 0) return state.SkipWithError((one.level + " failed").c_str());
  }
  const Range by_cost = RangeOf(all, [](const Measured& one) { return one.cells; });
  const Range by_area = RangeOf(all, [](const Measured& one) { return one.block_area; });
  state.counters["least"] = by_cost.least;
  state.counters["greatest"] = by_cost.greatest;
  state.counters["least_by_area"] = by_area.least;
  state.counters["greatest_by_area"] = by_area.greatest;
  state.SetLabel(by_cost.wrong);
}

}  // namespace

void RegisterEstimatedCostBenchmark(const BenchOptions& options) {
  benchmark::RegisterBenchmark("estimated_cost", EstimatedCost, options.device)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace thalweg::bench
