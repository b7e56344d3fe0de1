#include <cmath>
#include <cstddef>

#include "benchmark/benchmark.h"
#include "proto/geometry/selection.h"
#include "proto/wire/tile_key.h"
#include "tests/bench/benchmarks.h"

namespace thalweg::bench {
namespace {

constexpr lod::WorldGrid kGrid{.cell_size_m = 1024, .levels = 12};

// The ground's roughness: each tile's geometric error, as a share of its cells.
constexpr double kRoughness = 0.5;

// Selects the tiles that a full-HD camera at this height needs if all facts are known.
void Select(benchmark::State& state) {
  lod::View view;
  view.position = {.x = 5'000, .y = 7'000, .z = static_cast<double>(state.range(0))};
  view.direction = {.x = 0.2, .y = -1, .z = -0.3};
  view.range_m = 20'000;
  lod::TileFacts facts{.geometric_error = 0, .min_height = 0, .max_height = 400 << 16};
  const auto facts_of = [&facts](const wire::TileKey& key) {
    facts.geometric_error =
        static_cast<std::uint32_t>(65'536 * kRoughness * lod::CellSizeM(kGrid, key.level));
    return &facts;
  };
  std::size_t tiles = 0;
  for (auto _ : state) {
    const lod::Selection selection = lod::Selection::Of(view, kGrid, facts_of);
    tiles = selection.tiles().size();
    benchmark::DoNotOptimize(tiles);
  }
  state.counters["tiles"] = static_cast<double>(tiles);
}

}  // namespace

void RegisterSelectionBenchmarks(const BenchOptions&) {
  benchmark::RegisterBenchmark("selection/height_m", &Select)
      ->Arg(600)
      ->Arg(2'000)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace thalweg::bench
