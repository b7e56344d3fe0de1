// thalwegd: the server.
#include <CLI/CLI.hpp>
#include <string>

#include "proto/command_line/run.h"
#include "server/commands/commands.h"
#include "server/commands/logging.h"
#include "server/world/level_program.h"

namespace thalweg {
namespace {

int RunCommand(int argc, char** argv) {
  commands::LogToStderr();

  CLI::App app("Thalweg's server: infinite terrain, computed on demand.", "thalwegd");
  app.set_version_flag("--version", "thalwegd " THALWEG_VERSION ", generator version " +
                                        std::to_string(world::kGeneratorVersion));
  app.require_subcommand(1);
  int exit_code = commands::kSuccess;
  commands::AddServeCommand(app, &exit_code);
  commands::AddBakeCommand(app, &exit_code);
  commands::AddConfigCommand(app, &exit_code);
  commands::AddCheckWorldCommand(app, &exit_code);
  commands::AddTokenCommand(app, &exit_code);
  commands::AddCacheKeyCommand(app, &exit_code);
  commands::AddDevicesCommand(app, &exit_code);
  commands::AddSelftestCommand(app, &exit_code);
  commands::AddBenchCommand(app, &exit_code);

  app.footer(
      "Run 'thalwegd COMMAND --help' for a command's options. Exit codes: 0 done, 1 failed, 2 "
      "wrong "
      "usage.");
  return command_line::Parse(app, argc, argv).value_or(exit_code);
}

}  // namespace
}  // namespace thalweg

// NOLINTNEXTLINE(bugprone-exception-escape): an uncaught exception ends the program.
int main(int argc, char** argv) {
  return thalweg::command_line::RunMain("thalwegd",
                                        [&] { return thalweg::RunCommand(argc, argv); });
}
