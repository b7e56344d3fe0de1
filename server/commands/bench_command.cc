#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "proto/wire/status_macros.h"
#include "server/commands/bench_report.h"
#include "server/commands/commands.h"
#include "server/commands/device_option.h"
#include "server/commands/logging.h"
#include "server/selftest/suite.h"
#include "server/world/world_library.h"

namespace thalweg::commands {
namespace {

struct BenchOptions {
  std::string device = "auto";
  int threads = 0;
  double seconds = 30;
  bool json = false;
};

// The process of another program of this name, or 0 if there is none or it can't be known.
int OtherServer() {
  std::error_code error;
  for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
    int id = 0;
    if (!absl::SimpleAtoi(process.path().filename().string(), &id) || id == getpid()) continue;
    std::string name;
    std::getline(std::ifstream(process.path() / "comm"), name);
    if (name == "thalwegd") return id;
  }
  return 0;
}

absl::StatusOr<std::string> RunBenchCommand(const BenchOptions& options) {
  if (const int server = OtherServer(); server != 0) {
    spdlog::warn("thalwegd runs here too, as process {}: it takes what is measured", server);
  }
  backend::BackendOptions backend_options;
  backend_options.threads = options.threads;
  backend_options.vulkan.device = options.device;
  THALWEG_ASSIGN_OR_RETURN(auto backend, OpenBackend(backend_options));
  // The speed of wrong bits is worth nothing.
  THALWEG_RETURN_IF_ERROR(selftest::QuickCheck(*backend));
  THALWEG_ASSIGN_OR_RETURN(const auto world, world::WorldLibrary::OfPresets()->Find("alpine"));
  THALWEG_ASSIGN_OR_RETURN(const BenchReport report,
                           RunBench(std::move(backend), *world, options.seconds));
  return options.json ? JsonOf(report) : TextOf(report);
}

}  // namespace

void AddBenchCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "bench", "Measure what this machine gives: cold tiles a second, and what stages take");
  const auto options = std::make_shared<BenchOptions>();
  AddDeviceOption(*command, &options->device);
  AddThreadsOption(*command, &options->threads);
  constexpr double kMaxSeconds = 3600;
  command->add_option("--seconds", options->seconds, "How long to measure")
      ->type_name("S")
      ->check(CLI::Range(1.0, kMaxSeconds))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one line of JSON");
  command->footer(
      "Stop other programs first, a running server too: they take what is measured. If your device "
      "is missing in the "
      "README's table, send us the output, with the last line of `thalwegd selftest`.");
  command->callback([options, exit_code] {
    const absl::StatusOr<std::string> text = RunBenchCommand(*options);
    if (!text.ok()) LogError(text.status());
    *exit_code = text.ok() && std::fputs(text->c_str(), stdout) >= 0 ? kSuccess : kFailure;
  });
}

}  // namespace thalweg::commands
