// The benchmarks of thalweg_bench, by subject. Each function registers some with Google Benchmark.
#pragma once

#include <string>

namespace thalweg::bench {

struct BenchOptions {
  // As the server's --device: "auto", an index, or "reference".
  std::string device = "auto";
  // As the server's --shared-cache; empty leaves out benchmarks that need memcached.
  std::string shared_cache;
};

// Nominal droplet-steps a second of one run of a level, on the device and on the reference.
void RegisterDropletBenchmarks(const BenchOptions& options);
// The stages of a preset's level, compared with only droplets and thermal.
void RegisterLevelCostBenchmarks(const BenchOptions& options);
// A tile with all its ancestors, from a field that keeps nothing yet.
void RegisterColdTileBenchmarks(const BenchOptions& options);
// Two devices of one thread each, beside one.
void RegisterSeveralDevicesBenchmarks();
// A tile that a client waits for, during a bake.
void RegisterOverloadBenchmarks(const BenchOptions& options);
// Work that a camera which turns round leaves behind.
void RegisterCancelBenchmarks(const BenchOptions& options);
// The choice of a view's tiles.
void RegisterSelectionBenchmarks(const BenchOptions& options);
// A tile's height, to the wire and back.
void RegisterCodecBenchmarks(const BenchOptions& options);
// A tile to the rasters of HTTP.
void RegisterRasterBenchmarks(const BenchOptions& options);
// Tiles of globes.
void RegisterGlobeBenchmarks();
// Cached tiles over gRPC, beside a handler that does nothing but answer.
void RegisterLoopbackBenchmarks(const BenchOptions& options);
// Tiles from the caches behind memory.
void RegisterCacheBenchmarks(const BenchOptions& options);

}  // namespace thalweg::bench
