// thalweg_bench [--device auto|reference|INDEX] [--shared-cache HOST:PORT,...]
//               [Google Benchmark's own flags]
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"

namespace {

// Removes a flag of ours, "--name=VALUE" or "--name VALUE", from the arguments: Google Benchmark
// rejects unknown flags.
void TakeFlag(std::vector<char*>& arguments, const std::string& name, std::string& value) {
  for (auto argument = arguments.begin() + 1; argument != arguments.end();) {
    const std::string word = *argument;
    if (word.starts_with(name + "=")) {
      value = word.substr(name.size() + 1);
      argument = arguments.erase(argument);
    } else if (word == name && argument + 1 != arguments.end()) {
      value = *(argument + 1);
      argument = arguments.erase(argument, argument + 2);
    } else {
      ++argument;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  thalweg::bench::BenchOptions options;
  TakeFlag(arguments, "--device", options.device);
  TakeFlag(arguments, "--shared-cache", options.shared_cache);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::AddCustomContext("thalweg_device", thalweg::bench::DeviceText(options.device));
  thalweg::bench::RegisterDropletBenchmarks(options);
  thalweg::bench::RegisterLevelCostBenchmarks(options);
  thalweg::bench::RegisterEstimatedCostBenchmark(options);
  thalweg::bench::RegisterColdTileBenchmarks(options);
  thalweg::bench::RegisterSeveralDevicesBenchmarks();
  thalweg::bench::RegisterOverloadBenchmarks(options);
  thalweg::bench::RegisterCancelBenchmarks(options);
  thalweg::bench::RegisterSelectionBenchmarks(options);
  thalweg::bench::RegisterCodecBenchmarks(options);
  thalweg::bench::RegisterCoverBenchmarks(options);
  thalweg::bench::RegisterRasterBenchmarks(options);
  thalweg::bench::RegisterGlobeBenchmarks();
  thalweg::bench::RegisterLoopbackBenchmarks(options);
  thalweg::bench::RegisterCacheBenchmarks(options);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
