#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <vector>

#include "benchmark/benchmark.h"
#include "server/backend/reference/reference_backend.h"
#include "server/field/field.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/exit.h"
#include "tests/bench/sample_tiles.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLevel = 5;
constexpr int kSide = 8;

// An empty field over this many devices of one thread each.
std::unique_ptr<field::Field> FieldOf(int devices) {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  for (int n = 0; n < devices; ++n) backends.push_back(backend::CreateReference(1));
  return std::make_unique<field::Field>(std::move(backends), field::FieldOptions{});
}

// The seconds for a square of tiles and all their ancestors. Adds the computed blocks to `blocks`.
double Compute(int devices, std::int64_t column, std::uint64_t& blocks) {
  const auto field = FieldOf(devices);
  std::vector<std::promise<absl::Status>> done(kSide * kSide);
  const Clock::time_point start = Clock::now();
  for (std::size_t n = 0; n < done.size(); ++n) {
    field::TileRequest request = SampleRequest("alpine", kLevel);
    request.key.x = column + static_cast<std::int64_t>(n) % kSide;
    request.key.y = static_cast<std::int64_t>(n) / kSide;
    request.priority = field::Priority::kBake;
    field->Request(request, [&promise = done[n]](const absl::StatusOr<field::TileValues>& values) {
      promise.set_value(values.status());
    });
  }
  for (std::promise<absl::Status>& one : done) {
    const absl::Status status = one.get_future().get();
    if (!status.ok()) Exit(status.ToString());
  }
  const std::chrono::duration<double> seconds = Clock::now() - start;
  blocks += field->stats().blocks_computed;
  return seconds.count();
}

// Measures one device and two devices in turns, each round on new ground.
void SeveralDevices(benchmark::State& state) {
  double alone = 0;
  double together = 0;
  std::uint64_t alone_blocks = 0;
  std::uint64_t together_blocks = 0;
  std::int64_t column = 0;
  for (auto _ : state) {
    alone += Compute(1, column, alone_blocks);
    together += Compute(2, column, together_blocks);
    column += 1'000;
  }
  state.counters["ratio"] = alone / together;
  state.counters["more_blocks"] =
      static_cast<double>(together_blocks) / static_cast<double>(alone_blocks);
}

}  // namespace

void RegisterSeveralDevicesBenchmarks() {
  benchmark::RegisterBenchmark("several_devices", SeveralDevices)
      ->Iterations(3)
      ->UseRealTime()
      ->Unit(benchmark::kSecond);
}

}  // namespace thalweg::bench
