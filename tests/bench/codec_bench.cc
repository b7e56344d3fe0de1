#include <cstdint>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_key.h"
#include "server/field/field.h"
#include "server/world/level_program.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

constexpr int kSide = wire::kTileVertices;
constexpr int kCodecLevel = 6;

// The heights of a tile of level 6, computed once for all codec benchmarks.
const std::vector<std::int32_t>& SampleHeights(const std::string& device) {
  static const std::vector<std::int32_t> heights = [&] {
    field::Field field(Borrow(Device(device)), {});
    return FetchTile(field, SampleRequest("badlands", kCodecLevel)).planes.front();
  }();
  return heights;
}

int Shift(bool exact) {
  return exact ? 0 : world::LatticeShift(Preset("badlands")->level(kCodecLevel).cell_size_m);
}

void EncodeTile(benchmark::State& state, const std::string& device, bool exact) {
  const std::vector<std::int32_t>& heights = SampleHeights(device);
  const int shift = Shift(exact);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const wire::EncodedLayer layer = wire::EncodeLayer(heights, kSide, kSide, shift);
    bytes = layer.data.size();
    benchmark::DoNotOptimize(bytes);
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

void Decode(benchmark::State& state, const std::string& device, bool exact) {
  const int shift = Shift(exact);
  const wire::EncodedLayer layer = wire::EncodeLayer(SampleHeights(device), kSide, kSide, shift);
  std::vector<std::int32_t> values(std::size_t{kSide} * kSide);
  for (auto _ : state) {
    const absl::Status status = wire::DecodeLayerInto(layer.data, kSide, kSide, shift, values);
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
    benchmark::DoNotOptimize(values.data());
  }
  state.counters["bytes"] = static_cast<double>(layer.data.size());
}

}  // namespace

void RegisterCodecBenchmarks(const BenchOptions& options) {
  for (const bool exact : {false, true}) {
    const std::string precision = exact ? "exact" : "lattice";
    benchmark::RegisterBenchmark(("tile_encode/" + precision).c_str(), EncodeTile, options.device,
                                 exact)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("tile_decode/" + precision).c_str(), Decode, options.device,
                                 exact)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace thalweg::bench
