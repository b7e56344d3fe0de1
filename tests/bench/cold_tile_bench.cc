#include <cstdint>
#include <string>

#include "benchmark/benchmark.h"
#include "server/field/field.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

constexpr int kPlanetLevel = 8;

// Runs every kernel once: drivers finish its compilation in the first run.
void WarmUp(backend::Backend& backend) {
  field::Field field(Borrow(backend), {});
  FetchTile(field, SampleRequest("alpine", 1));
}

// A tile from a warm device and an empty field.
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

// A tile of a planet: in the middle of a face, on an edge, or at a corner. The field keeps level 0,
// since all tiles share it.
void ColdPlanetTile(benchmark::State& state, const std::string& device, std::int64_t x,
                    std::int64_t y) {
  backend::Backend& backend = Device(device);
  field::TileRequest request = SampleRequest("blue-planet", kPlanetLevel);
  request.key = {.face = 1, .level = kPlanetLevel, .x = x, .y = y};
  field::TileRequest whole = SampleRequest("blue-planet", 0);
  whole.key = {.face = 1};
  for (auto _ : state) {
    state.PauseTiming();
    field::Field field(Borrow(backend), {});
    FetchTile(field, whole);
    state.ResumeTiming();
    benchmark::DoNotOptimize(FetchTile(field, request));
    state.PauseTiming();
    field.Stop();
    state.ResumeTiming();
  }
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
  constexpr std::int64_t kLast = (std::int64_t{1} << kPlanetLevel) - 1;
  struct Place {
    const char* name;
    std::int64_t x;
    std::int64_t y;
  };
  for (const Place& place : {Place{"middle", kLast / 2, kLast / 2}, Place{"edge", kLast / 2, kLast},
                             Place{"corner", kLast, kLast}}) {
    const std::string name = std::string("cold_tile/blue-planet/") + place.name;
    benchmark::RegisterBenchmark(name.c_str(), ColdPlanetTile, options.device, place.x, place.y)
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace thalweg::bench
