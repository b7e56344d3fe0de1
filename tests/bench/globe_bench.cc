// Making tiles of globes, without making the tiles of faces that they need.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "server/geographic/mesh_grid.h"
#include "server/geographic/mesh_query.h"
#include "server/geographic/picture_query.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

constexpr geographic::GlobeTile kTile = {9, 340, 300};
constexpr geographic::MeshExtensions kAll = {.normals = true, .water_mask = true, .metadata = true};

// Samples of mountains or of a sea.
geographic::MeshSamples SamplesOf(bool is_sea) {
  geographic::MeshSamples samples;
  for (const sphere::Vector& at : geographic::MeshGrid(kTile).Directions()) {
    double height_m = 0;
    for (double k = 500; k < 100'000; k *= 2) {
      height_m += 1e6 / k * std::sin(k * at.x) * std::cos(k * at.y + k) * std::sin(k * at.z);
    }
    samples.heights.push_back(is_sea ? 0 : static_cast<std::int32_t>(height_m * 65'536));
    samples.depths.push_back(is_sea || height_m < -500 ? 65'536 : 0);
  }
  return samples;
}

void EncodeMesh(benchmark::State& state, bool is_sea) {
  const geographic::MeshSamples samples = SamplesOf(is_sea);
  std::size_t bytes = 0;
  std::size_t vertices = 0;
  for (auto _ : state) {
    const geographic::QuantizedMesh mesh =
        geographic::MakeMesh(kTile, geographic::kWgs84, samples, kAll, 20);
    vertices = mesh.vertices.size();
    bytes = geographic::Encode(mesh).size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["vertices"] = static_cast<double>(vertices);
}

// Finds the tiles of faces that a mesh or a picture needs.
void PlaceMesh(benchmark::State& state) {
  geographic::MeshQuery query{.tile_query = {}, .tile = kTile, .extensions = kAll};
  query.tile_query.world = Preset("blue-planet");
  query.tile_query.key.level = 6;
  const raster::Recipe recipe = geographic::RecipeOf(query);
  for (auto _ : state) benchmark::DoNotOptimize(recipe.tiles());
}

void PlacePicture(benchmark::State& state) {
  geographic::PictureQuery query{.tile_query = {}, .tile = kTile};
  query.tile_query.world = Preset("blue-planet");
  const raster::Recipe recipe = geographic::RecipeOf(query);
  for (auto _ : state) benchmark::DoNotOptimize(recipe.tiles());
}

}  // namespace

void RegisterGlobeBenchmarks() {
  for (const bool is_sea : {false, true}) {
    benchmark::RegisterBenchmark(is_sea ? "globe_mesh/sea" : "globe_mesh/mountains",
                                 [is_sea](benchmark::State& state) { EncodeMesh(state, is_sea); })
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("globe_place/mesh", PlaceMesh)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("globe_place/picture", PlacePicture)->Unit(benchmark::kMillisecond);
}

}  // namespace thalweg::bench
