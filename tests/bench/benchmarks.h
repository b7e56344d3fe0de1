// The benchmarks of thalweg_bench, by subject. Each function registers some with Google Benchmark.
#pragma once

#include <string>

namespace thalweg::bench {

struct BenchOptions {
  // Like the server's --device: "auto", an index, or "reference".
  std::string device = "auto";
  // Like the server's --shared-cache. If it is empty, benchmarks that need memcached are left out.
  std::string shared_cache;
};

// Nominal droplet steps per second in a run of a level, on the device and on the reference.
void RegisterDropletBenchmarks(const BenchOptions& options);
// The stages of a preset's level, compared with a level of only droplets and thermal.
void RegisterLevelCostBenchmarks(const BenchOptions& options);
// The estimated cost of levels, compared with the clock.
void RegisterEstimatedCostBenchmark(const BenchOptions& options);
// A tile with all its ancestors, from an empty field.
void RegisterColdTileBenchmarks(const BenchOptions& options);
// Two devices of one thread each, compared with one.
void RegisterSeveralDevicesBenchmarks();
// A tile that a client waits for, during a bake.
void RegisterOverloadBenchmarks(const BenchOptions& options);
// How much queued work is dropped when cameras turn round.
void RegisterCancelBenchmarks(const BenchOptions& options);
// The selection of a view's tiles.
void RegisterSelectionBenchmarks(const BenchOptions& options);
// Encoding and decoding a tile's heights.
void RegisterCodecBenchmarks(const BenchOptions& options);
// Making a tile's cover from its ground.
void RegisterCoverBenchmarks(const BenchOptions& options);
// Making HTTP's rasters of a tile.
void RegisterRasterBenchmarks(const BenchOptions& options);
// Tiles of globes.
void RegisterGlobeBenchmarks();
// Cached tiles over gRPC, compared with a handler that only answers.
void RegisterLoopbackBenchmarks(const BenchOptions& options);
// Tiles from the caches behind memory.
void RegisterCacheBenchmarks(const BenchOptions& options);

}  // namespace thalweg::bench
