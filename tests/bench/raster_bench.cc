#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "proto/wire/tile_key.h"
#include "server/field/field.h"
#include "server/raster/render.h"
#include "server/tile/layers/tile_layers.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

constexpr int kRasterLevel = 6;
constexpr int kSize = 256;

// The inputs for the relief of a tile, computed once.
const raster::LayerGrid& SampleGrid(const std::string& device) {
  static const raster::LayerGrid grid = [&] {
    const std::vector<v1::Layer> layers{v1::LAYER_HEIGHT, v1::LAYER_FLOW, v1::LAYER_NORMAL};
    const tile::Sources sources = tile::SourcesOf(layers);
    field::TileRequest request = SampleRequest("badlands", kRasterLevel);
    request.layers = sources.layers;
    request.margin = sources.margin;
    field::Field field(Borrow(Device(device)), {});
    const field::TileValues values = FetchTile(field, request);
    const tile::SourcePlanes planes{sources, values, *request.world, request.key, false};
    raster::LayerGrid all{.size = kSize, .layers = {}};
    std::vector<std::int32_t> scratch;
    for (const v1::Layer layer : layers) {
      const auto plane = tile::MakeLayer(layer, planes, scratch);
      for (int y = 0; y < kSize; ++y) {
        const auto row = plane.begin() + std::ptrdiff_t{y} * wire::kTileVertices;
        all.layers[layer].insert(all.layers[layer].end(), row, row + kSize);
      }
    }
    return all;
  }();
  return grid;
}

void EncodeRaster(benchmark::State& state, const std::string& device, raster::Format format) {
  raster::RasterQuery query{.tile_query = {}, .format = format};
  query.tile_query.world = Preset("badlands");
  query.tile_query.key.level = kRasterLevel;
  const raster::LayerGrid& grid = SampleGrid(device);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const auto encoded = raster::Render(query, grid);
    if (!encoded.ok()) return state.SkipWithError(encoded.status().ToString().c_str());
    bytes = encoded->size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

}  // namespace

void RegisterRasterBenchmarks(const BenchOptions& options) {
  using raster::Format;
  for (const auto& [name, format] :
       {std::pair("terrarium", Format::kTerrarium), std::pair("mapbox", Format::kMapbox),
        std::pair("png16", Format::kPng16), std::pair("lerc", Format::kLerc),
        std::pair("relief", Format::kRelief)}) {
    benchmark::RegisterBenchmark((std::string("raster_encode/") + name).c_str(), EncodeRaster,
                                 options.device, format)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace thalweg::bench
