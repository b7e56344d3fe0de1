#include <iostream>
#include <memory>
#include <string>

#include "server/commands/commands.h"
#include "server/commands/device_option.h"
#include "server/commands/logging.h"
#include "server/selftest/command.h"

namespace thalweg::commands {
namespace {

struct SelftestOptions {
  std::string device = "auto";
  bool print_golden = false;
};

int Selftest(const SelftestOptions& options) {
  backend::BackendOptions backend_options;
  backend_options.vulkan.device = options.device;
  const auto backend = OpenBackend(backend_options);
  if (!backend.ok()) {
    LogError(backend.status());
    return kFailure;
  }
  if (!options.print_golden) {
    return selftest::RunSuite(**backend, std::cout) ? kSuccess : kFailure;
  }
  const absl::Status printed = selftest::PrintGolden(**backend, std::cout);
  if (printed.ok()) return kSuccess;
  LogError(printed);
  return kFailure;
}

}  // namespace

void AddSelftestCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "selftest", "Check that this device computes the right terrain, bit for bit");
  const auto options = std::make_shared<SelftestOptions>();
  AddDeviceOption(*command, &options->device);
  command->add_flag("--print-golden", options->print_golden,
                    "Print this device's digests instead, in the form of golden.txt");
  command->callback([options, exit_code] { *exit_code = Selftest(*options); });
}

}  // namespace thalweg::commands
