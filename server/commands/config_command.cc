#include <cstdio>

#include "server/commands/commands.h"
#include "server/commands/config_flags.h"
#include "server/commands/logging.h"

namespace thalweg::commands {
namespace {

int Config(const ConfigFlags& flags) {
  const auto config = EffectiveConfig(flags);
  if (!config.ok()) {
    LogError(config.status());
    return kFailure;
  }
  const std::string text = PrintConfig(*config);
  return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? kSuccess : kFailure;
}

}  // namespace

void AddConfigCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "config", "Check a configuration file, or print every setting with its default and meaning");
  const auto flags = AddConfigFlags(*command);
  command->callback([flags, exit_code] { *exit_code = Config(*flags); });
}

}  // namespace thalweg::commands
