#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "server/cache/background_store.h"
#include "server/cache/disk/disk_cache.h"
#include "server/cache/shared/shared_cache.h"
#include "server/field/field.h"
#include "server/tile/tile_service.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/exit.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDiskBytes = std::size_t{1} << 30;
// This many tiles fit into memcached's default memory of 64 MiB.
constexpr int kSharedTiles = 500;

// The bytes of a real tile of alpine, computed once for all benchmarks.
const cache::TileBytes& SampleBytes(const std::string& device) {
  static const cache::TileBytes bytes = [&] {
    cache::TileCache memory(1 << 20);
    tile::TileService tiles(
        {.field = std::make_unique<field::Field>(Borrow(Device(device)), field::FieldOptions{}),
         .cache = &memory});
    tile::TileQuery query;
    query.world = Preset("alpine");
    query.key = {0, 4, 3, 2};
    std::promise<absl::StatusOr<tile::TileContents>> promise;
    tiles.Get(std::make_shared<tile::TileWaiter>(), query,
              [&promise](absl::StatusOr<tile::TileContents> tile) {
                promise.set_value(std::move(tile));
              });
    const absl::StatusOr<tile::TileContents> tile = promise.get_future().get();
    if (!tile.ok()) Exit(tile.status().ToString());
    return tile->finished().bytes;
  }();
  return bytes;
}

cache::TileId IdOf(std::int64_t n) { return {.world = {1, 2}, .key = {0, 4, n, 0}, .layers = 2}; }

double Quantile(std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

// Loads random tiles from first to end - 1, one after the other, like the tile service: from the
// calling thread to the store's thread and back.
void Load(benchmark::State& state, cache::BackgroundStore& store, std::int64_t first,
          std::int64_t end) {
  std::mt19937_64 random(1);
  std::vector<double> milliseconds;
  for (auto _ : state) {
    const std::int64_t n =
        first + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end - first));
    std::promise<cache::TileBytes> promise;
    const Clock::time_point start = Clock::now();
    store.Load(IdOf(n),
               [&promise](cache::FinishedTile tile) { promise.set_value(std::move(tile.bytes)); });
    const bool hit = promise.get_future().get() != nullptr;
    const std::chrono::duration<double> taken = Clock::now() - start;
    if (!hit) return state.SkipWithError("a tile that was saved is not there");
    state.SetIterationTime(taken.count());
    milliseconds.push_back(1'000 * taken.count());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  state.counters["p50_ms"] = Quantile(milliseconds, 0.5);
  state.counters["p99_ms"] = Quantile(milliseconds, 0.99);
}

// Makes the system drop its page cache of a folder's files.
void ForgetPages(const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const int file = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    fsync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
  }
}

void DiskHit(benchmark::State& state, const std::string& device, bool cold) {
  const cache::TileBytes& bytes = SampleBytes(device);
  std::string folder = std::filesystem::temp_directory_path() / "thalweg-bench-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) Exit("no temporary folder");
  {
    auto disk = cache::DiskCache::Open({.folder = folder, .budget_bytes = kDiskBytes});
    if (!disk.ok()) Exit(disk.status().ToString());
    // Twice as many as fit, as in a server that has run for a long time.
    const auto tiles = static_cast<std::int64_t>(2 * kDiskBytes / bytes->size());
    for (std::int64_t n = 0; n < tiles; ++n) (*disk)->Save(IdOf(n), bytes);
    state.counters["tile_bytes"] = static_cast<double>(bytes->size());
    state.counters["memory_bytes"] = static_cast<double>((*disk)->memory_bytes());
    cache::BackgroundStore store(*std::move(disk), {});
    if (cold) ForgetPages(folder);
    Load(state, store, tiles - tiles / 4, tiles);
  }
  std::filesystem::remove_all(folder);
}

void SharedHit(benchmark::State& state, const BenchOptions& options) {
  const cache::TileBytes& bytes = SampleBytes(options.device);
  auto servers = cache::ParseServers(options.shared_cache);
  if (!servers.ok()) Exit(servers.status().ToString());
  auto shared = std::make_unique<cache::SharedCache>(
      *std::move(servers), cache::MacKeys{.signing = cache::RandomMacKey()},
      cache::MemcachedOptions{});
  for (std::int64_t n = 0; n < kSharedTiles; ++n) {
    if (shared->Save(IdOf(n), bytes) != cache::SaveOutcome::kSaved) {
      return state.SkipWithError("the servers do not answer");
    }
  }
  state.counters["tile_bytes"] = static_cast<double>(bytes->size());
  cache::BackgroundStore store(std::move(shared), {});
  Load(state, store, 0, kSharedTiles);
}

}  // namespace

void RegisterCacheBenchmarks(const BenchOptions& options) {
  benchmark::RegisterBenchmark("cache_hit/disk", DiskHit, options.device, false)
      ->Iterations(20'000)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
  // There are few iterations: otherwise most loads would find their pages in memory.
  benchmark::RegisterBenchmark("cache_hit/disk_cold", DiskHit, options.device, true)
      ->Iterations(1'000)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
  if (options.shared_cache.empty()) return;
  benchmark::RegisterBenchmark("cache_hit/shared", SharedHit, options)
      ->Iterations(20'000)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace thalweg::bench
