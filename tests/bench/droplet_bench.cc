#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "server/world/block.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

constexpr std::size_t kScratchBytes = std::size_t{2} << 30;

struct RainCase {
  std::string device;
  int threads = 0;
  int block_cells = 256;
  int steps = 24;
  int batch = 1;
};

// Jobs for blocks of level 1 in one row, with their parents.
std::vector<backend::Job> PrepareJobs(backend::Backend& backend, const world::World& world,
                                      const std::vector<world::BlockShape>& shapes,
                                      const RainCase& rain) {
  std::vector<backend::Job> jobs;
  for (int i = 0; i < rain.batch; ++i) {
    const world::BlockKey key{0, 1, i, 0};
    const world::BlockKey parent_key = world::ParentOf(world::PlaneLayout(), key, rain.block_cells);
    const std::int64_t cells = rain.block_cells;
    const backend::Job parent{0, parent_key.x * cells, parent_key.y * cells, nullptr, 0, 0};
    const auto parents = backend.Run(world.level(0), shapes[0], {&parent, 1}, {});
    if (!parents.ok()) return {};
    jobs.push_back({0, key.x * cells, key.y * cells, parents->front(), parent.x, parent.y});
  }
  return jobs;
}

// The counter `nominal` counts every cell of the window in every step, whether it is computed or no
// longer needed. `core` counts only the block's core.
void DropletSteps(benchmark::State& state, const RainCase& rain) {
  // A server on a processor would use less memory, since large batches do not fit into its caches.
  backend::Backend& backend = Device(rain.device, rain.threads, kScratchBytes);
  const std::shared_ptr<const world::World> world = RainWorld(rain.steps);
  const std::vector<world::BlockShape> shapes =
      world::BlockShapes({world->level(0), world->level(1)}, rain.block_cells);
  const std::vector<backend::Job> jobs = PrepareJobs(backend, *world, shapes, rain);
  if (jobs.empty()) return state.SkipWithError("the parents could not be computed");
  if (backend.MaxBatch(shapes[1]) < rain.batch)
    return state.SkipWithError("the batch is too large");
  for (auto _ : state) {
    const auto blocks = backend.Run(world->level(1), shapes[1], jobs, {});
    if (!blocks.ok()) return state.SkipWithError(blocks.status().ToString().c_str());
  }
  const double window = shapes[1].WindowSide();
  const double core = rain.block_cells;
  const double steps = static_cast<double>(state.iterations()) * rain.steps * rain.batch;
  state.counters["nominal_droplet_steps"] =
      benchmark::Counter(steps * window * window, benchmark::Counter::kIsRate);
  state.counters["core_droplet_steps"] =
      benchmark::Counter(steps * core * core, benchmark::Counter::kIsRate);
  state.counters["window"] = window;
}

void Register(const std::string& name, const RainCase& rain) {
  const std::string full = "droplet_steps/" + name + "/block:" + std::to_string(rain.block_cells) +
                           "/steps:" + std::to_string(rain.steps) +
                           "/batch:" + std::to_string(rain.batch);
  benchmark::RegisterBenchmark(full.c_str(), DropletSteps, rain)
      ->MeasureProcessCPUTime()
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void RegisterDropletBenchmarks(const BenchOptions& options) {
  for (const int steps : {24, 32}) {
    for (const int block_cells : {256, 512}) {
      for (const int batch : {1, 4}) {
        Register("device", {options.device, 0, block_cells, steps, batch});
      }
    }
    // The reference computes one block per thread.
    Register("reference_1_thread", {"reference", 1, 512, steps, 2});
    Register("reference_2_threads", {"reference", 2, 512, steps, 2});
  }
}

}  // namespace thalweg::bench
