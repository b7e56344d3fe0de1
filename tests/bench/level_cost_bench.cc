#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "server/backend/chain.h"
#include "server/world/world_library.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

constexpr int kCostLevel = 6;
constexpr int kBlockCells = 256;

using Clock = std::chrono::steady_clock;

// The seconds that one level's stages take for one block without an apron; 0 after an error.
double Seconds(backend::Backend& backend, const world::LevelProgram& program,
               const backend::Job& job) {
  const world::BlockShape shape{kBlockCells, 0, program.HaloCells()};
  const Clock::time_point begin = Clock::now();
  const auto blocks = backend.Run(program, shape, {&job, 1}, {});
  if (!blocks.ok()) return 0;
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A preset's level and a level of only droplets and thermal, in turns, on the same parent. The
// counter is the ratio of their times.
void LevelCost(benchmark::State& state, const std::string& device,
               const std::shared_ptr<const world::World>& preset) {
  backend::Backend& backend = Device(device, 0);
  const std::shared_ptr<const world::World> plain = RainWorld(24, 4);
  backend::Chain chain(backend, preset->programs(), kBlockCells);
  const world::BlockKey parent_key{0, kCostLevel - 1, 5, 3};
  const auto parent = chain.Block(parent_key);
  if (!parent.ok()) return state.SkipWithError(parent.status().ToString().c_str());
  const std::int64_t cells = kBlockCells;
  const backend::Job job{0,       parent_key.x * 2 * cells, parent_key.y * 2 * cells,
                         *parent, parent_key.x * cells,     parent_key.y * cells};
  const world::LevelProgram& program = preset->level(kCostLevel);
  double of_preset = 0;
  double of_plain = 0;
  for (auto _ : state) {
    of_plain += Seconds(backend, plain->level(1), job);
    of_preset += Seconds(backend, program, job);
  }
  if (of_plain <= 0 || of_preset <= 0) return state.SkipWithError("a run failed");
  state.counters["ratio"] = of_preset / of_plain;
  state.counters["halo"] = program.HaloCells();
}

}  // namespace

void RegisterLevelCostBenchmarks(const BenchOptions& options) {
  for (const auto& preset : world::WorldLibrary::OfPresets()->worlds()) {
    benchmark::RegisterBenchmark(("level_cost/" + preset->name()).c_str(), LevelCost,
                                 options.device, preset)
        ->UseRealTime()
        ->Iterations(4)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace thalweg::bench
