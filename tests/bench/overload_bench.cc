#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "proto/geometry/tile_tree.h"
#include "server/field/field.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kQueueLevel = 5;
// How many requests a bake has under way: as many as a stream.
constexpr int kBakeWindow = 64;

// Bakes one row of tiles until it is destroyed.
class Bake {
 public:
  explicit Bake(field::Field& field) : field_(field) {
    for (int n = 0; n < kBakeWindow; ++n) AskNext();
  }
  ~Bake() {
    stopping_ = true;
    field_.Stop();
  }

 private:
  void AskNext() {
    field::TileRequest request = SampleRequest("alpine", kQueueLevel);
    request.key.x += 1'000 + next_++;
    request.priority = field::Priority::kBake;
    request.client = 1;
    field_.Request(request, [this](const absl::StatusOr<field::TileValues>&) {
      if (!stopping_) AskNext();
    });
  }

  field::Field& field_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::int64_t> next_ = 0;
};

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// The nth tile of a row. The first one is a western child of its parent.
field::TileRequest RowRequest(int n) {
  field::TileRequest request = SampleRequest("alpine", kQueueLevel);
  request.key.x = 2 * request.key.x + n;
  request.client = 2;
  return request;
}

// How long the row's nth tile takes.
double SecondsOf(field::Field& field, int n) {
  const field::TileRequest request = RowRequest(n);
  const Clock::time_point start = Clock::now();
  FetchTile(field, request);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A tile that a client waits for, without and with an endless bake. Its parent is kept.
void BesideBake(benchmark::State& state, const std::string& device) {
  constexpr int kTiles = 16;
  std::vector<double> alone;
  std::vector<double> beside;
  for (auto _ : state) {
    field::Field field(Borrow(Device(device)), {});
    // Computes the row's parents. Each of the two measurements asks for one child of each.
    for (int n = 0; n < kTiles; ++n) {
      field::TileRequest parent = RowRequest(2 * n);
      parent.key = lod::ParentOf(parent.key);
      FetchTile(field, parent);
    }
    for (int n = 0; n < kTiles; ++n) alone.push_back(SecondsOf(field, 2 * n));
    const Bake bake(field);
    for (int n = 0; n < kTiles; ++n) beside.push_back(SecondsOf(field, 2 * n + 1));
  }
  state.counters["alone_ms"] = 1'000 * Median(alone);
  state.counters["beside_bake_ms"] = 1'000 * Median(beside);
  state.counters["ratio"] = Median(beside) / Median(alone);
}

}  // namespace

void RegisterOverloadBenchmarks(const BenchOptions& options) {
  benchmark::RegisterBenchmark("overload/beside_bake", BesideBake, options.device)
      ->UseRealTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace thalweg::bench
