#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "benchmark/benchmark.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/loopback.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCallsARound = 1000;
constexpr int kInFlight = 32;

double Seconds(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

// The servers. The first benchmark that needs them makes them.
struct Loopback {
  explicit Loopback(const std::string& device)
      : hot(device),
        bare(hot.tile()),
        hot_caller(hot.address()),
        bare_caller(bare.address()),
        token_caller(hot.token_address(), hot.token(), ""),
        tls_caller(hot.tls_address(), hot.token(), hot.root()) {
    for (RawCaller* caller : {&hot_caller, &bare_caller, &token_caller, &tls_caller}) {
      caller->GetTiles(kCallsARound, kInFlight);
    }
  }

  HotServer hot;
  BareServer bare;
  RawCaller hot_caller;
  RawCaller bare_caller;
  RawCaller token_caller;
  RawCaller tls_caller;
};

Loopback& Servers(const std::string& device) {
  static Loopback servers(device);
  return servers;
}

// Rounds of the two servers alternate, so that other load of the machine affects both equally.
void HotUnary(benchmark::State& state, const std::string& device) {
  Loopback& servers = Servers(device);
  double hot = 0;
  double bare = 0;
  double calls = 0;
  for (auto _ : state) {
    Clock::time_point start = Clock::now();
    servers.hot_caller.GetTiles(kCallsARound, kInFlight);
    hot += Seconds(start);
    start = Clock::now();
    servers.bare_caller.GetTiles(kCallsARound, kInFlight);
    bare += Seconds(start);
    calls += kCallsARound;
  }
  state.counters["tiles_per_second"] = calls / hot;
  state.counters["empty_handler_per_second"] = calls / bare;
  state.counters["ratio"] = bare / hot;
  state.counters["tile_bytes"] = static_cast<double>(servers.hot.tile()->size());
}

// All hot tiles by a stream or a session, compared with a bare stream of the same bytes.
void HotStream(benchmark::State& state, const std::string& device,
               std::uint64_t (RawCaller::*take_all)()) {
  Loopback& servers = Servers(device);
  double hot = 0;
  double bare = 0;
  double bytes = 0;
  for (auto _ : state) {
    Clock::time_point start = Clock::now();
    bytes += static_cast<double>((servers.hot_caller.*take_all)());
    hot += Seconds(start);
    start = Clock::now();
    servers.bare_caller.StreamAll();
    bare += Seconds(start);
  }
  state.counters["bytes_per_second"] = bytes / hot;
  state.counters["bare_bytes_per_second"] = bytes / bare;
  state.counters["ratio"] = bare / hot;
}

// Calls with a token, and with TLS, compared with open ones to the same server.
void HotGuarded(benchmark::State& state, const std::string& device) {
  Loopback& servers = Servers(device);
  double open = 0;
  double token = 0;
  double tls = 0;
  double calls = 0;
  for (auto _ : state) {
    for (const auto& [caller, seconds] :
         {std::pair{&servers.hot_caller, &open}, std::pair{&servers.token_caller, &token},
          std::pair{&servers.tls_caller, &tls}}) {
      const Clock::time_point start = Clock::now();
      caller->GetTiles(kCallsARound, kInFlight);
      *seconds += Seconds(start);
    }
    calls += kCallsARound;
  }
  state.counters["open_per_second"] = calls / open;
  state.counters["token_per_second"] = calls / token;
  state.counters["tls_per_second"] = calls / tls;
  state.counters["token_ratio"] = open / token;
  state.counters["tls_ratio"] = open / tls;
}

void HotTlsStream(benchmark::State& state, const std::string& device) {
  Loopback& servers = Servers(device);
  double bytes = 0;
  double seconds = 0;
  for (auto _ : state) {
    const Clock::time_point start = Clock::now();
    bytes += static_cast<double>(servers.tls_caller.StreamAll());
    seconds += Seconds(start);
  }
  state.counters["bytes_per_second"] = bytes / seconds;
}

}  // namespace

void RegisterLoopbackBenchmarks(const BenchOptions& options) {
  benchmark::RegisterBenchmark("hot_tile/unary", HotUnary, options.device)
      ->UseRealTime()
      ->MinTime(3)
      ->Unit(benchmark::kMillisecond);
  for (const auto& [name, take_all] : {std::pair("hot_tile/stream", &RawCaller::StreamAll),
                                       std::pair("hot_tile/session", &RawCaller::FlyOverAll)}) {
    benchmark::RegisterBenchmark(name, HotStream, options.device, take_all)
        ->UseRealTime()
        ->MinTime(3)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("hot_tile/guarded", HotGuarded, options.device)
      ->UseRealTime()
      ->MinTime(3)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("hot_tile/tls_stream", HotTlsStream, options.device)
      ->UseRealTime()
      ->MinTime(3)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace thalweg::bench
