#include <cstdint>
#include <string>

#include "benchmark/benchmark.h"
#include "server/field/field.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

// Meets every kernel once: drivers finish their compilation with the first run.
void WarmUp(backend::Backend& backend) {
  field::Field field(Borrow(backend), {});
  FetchTile(field, SampleRequest("alpine", 1));
}

// The device is warm, the field keeps no block.
void ColdTile(benchmark::State& state, const std::string& device, int level) {
  backend::Backend& backend = Device(device);
  WarmUp(backend);
  const field::TileRequest request = SampleRequest("alpine", level);
  std::uint64_t blocks = 0;
  for (auto _ : state) {
    state.PauseTiming();
    field::Field field(Borrow(backend), {});
    state.ResumeTiming();
    benchmark::DoNotOptimize(FetchTile(field, request));
    state.PauseTiming();
    blocks += field.stats().blocks_computed;
    field.Stop();
    state.ResumeTiming();
  }
  state.counters["blocks"] =
      benchmark::Counter(static_cast<double>(blocks), benchmark::Counter::kAvgIterations);
}

}  // namespace

void RegisterColdTileBenchmarks(const BenchOptions& options) {
  for (const int level : {0, 4, 8, 12}) {
    const std::string name = "cold_tile/alpine/level:" + std::to_string(level);
    benchmark::RegisterBenchmark(name.c_str(), ColdTile, options.device, level)
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace thalweg::bench
