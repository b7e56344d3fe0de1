#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "proto/command_line/options.h"
#include "server/commands/commands.h"
#include "server/commands/device_option.h"
#include "server/commands/logging.h"
#include "server/selftest/suite.h"

namespace thalweg::commands {
namespace {

struct SelftestOptions {
  std::string device = "auto";
  // Empty: every preset.
  std::vector<std::string> worlds;
  bool print_golden = false;
};

// The suite's cases in these worlds.
std::vector<selftest::Case> CasesIn(const std::vector<std::string>& worlds) {
  std::vector<selftest::Case> all = selftest::Suite();
  if (worlds.empty()) return all;
  std::map<std::string, std::vector<selftest::Case>> of_world;
  for (const selftest::Case& test_case : all) of_world[test_case.world].push_back(test_case);
  std::vector<selftest::Case> chosen;
  for (const std::string& world : worlds) {
    const auto& cases = command_line::Chosen("--world", of_world, world);
    chosen.insert(chosen.end(), cases.begin(), cases.end());
  }
  return chosen;
}

int Selftest(const SelftestOptions& options) {
  const std::vector<selftest::Case> cases = CasesIn(options.worlds);
  backend::BackendOptions backend_options;
  backend_options.vulkan.device = options.device;
  const auto backend = OpenBackend(backend_options);
  if (!backend.ok()) {
    LogError(backend.status());
    return kFailure;
  }
  if (!options.print_golden) {
    return selftest::RunCases(**backend, cases, std::cout) ? kSuccess : kFailure;
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
  CLI::Option* const world = command
                                 ->add_option("--world", options->worlds,
                                              "Only this preset; several with commas between them")
                                 ->delimiter(',')
                                 ->type_name("NAME");
  command
      ->add_flag("--print-golden", options->print_golden,
                 "Print this device's digests instead, in the form of golden.txt")
      ->excludes(world);
  command->callback([options, exit_code] { *exit_code = Selftest(*options); });
}

}  // namespace thalweg::commands
