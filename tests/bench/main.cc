// thalweg_bench [--device auto|reference|INDEX] [Google Benchmark's own flags]
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"

namespace {

// Takes our own flag out of the arguments; Google Benchmark rejects what it does not know.
thalweg::bench::BenchOptions TakeOptions(std::vector<char*>& arguments) {
  constexpr const char* kDevice = "--device=";
  thalweg::bench::BenchOptions options;
  for (auto argument = arguments.begin() + 1; argument != arguments.end();) {
    if (std::strncmp(*argument, kDevice, std::strlen(kDevice)) == 0) {
      options.device = *argument + std::strlen(kDevice);
      argument = arguments.erase(argument);
    } else if (std::strcmp(*argument, "--device") == 0 && argument + 1 != arguments.end()) {
      options.device = *(argument + 1);
      argument = arguments.erase(argument, argument + 2);
    } else {
      ++argument;
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  const thalweg::bench::BenchOptions options = TakeOptions(arguments);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::AddCustomContext("thalweg_device", thalweg::bench::DeviceText(options.device));
  thalweg::bench::RegisterDropletBenchmarks(options);
  thalweg::bench::RegisterLevelCostBenchmarks(options);
  thalweg::bench::RegisterColdTileBenchmarks(options);
  thalweg::bench::RegisterCodecBenchmarks(options);
  thalweg::bench::RegisterLoopbackBenchmarks(options);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
