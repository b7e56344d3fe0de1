#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "proto/wire/tile_key.h"
#include "server/field/field.h"
#include "server/tile/layers/tile_layers.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

void MakeCover(benchmark::State& state, const std::string& device, const std::string& preset,
               int level) {
  const tile::Sources sources = tile::SourcesOf({v1::LAYER_COVER});
  field::TileRequest request = SampleRequest(preset, level);
  request.layers = sources.layers;
  request.margin = sources.margin;
  field::Field field(Borrow(Device(device)), {});
  const field::TileValues values = FetchTile(field, request);
  const tile::SourcePlanes planes{sources, values, *request.world, request.key, true};
  std::vector<std::int32_t> scratch;
  for (auto _ : state) {
    benchmark::DoNotOptimize(tile::MakeLayer(v1::LAYER_COVER, planes, scratch).data());
  }
  constexpr double kVertices = double{wire::kTileVertices} * wire::kTileVertices;
  state.counters["vertices"] =
      benchmark::Counter(kVertices, benchmark::Counter::kIsIterationInvariantRate);
  // Vertices that only water covers are 0.
  const auto land = scratch.size() - static_cast<std::size_t>(std::ranges::count(scratch, 0));
  state.counters["land"] = static_cast<double>(land) / kVertices;
}

}  // namespace

void RegisterCoverBenchmarks(const BenchOptions& options) {
  for (const std::string preset : {"alpine", "blue-planet"}) {
    for (const int level : {3, 8, 12}) {
      const std::string name = "tile_cover/" + preset + "/level:" + std::to_string(level);
      benchmark::RegisterBenchmark(name.c_str(), MakeCover, options.device, preset, level)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace thalweg::bench
