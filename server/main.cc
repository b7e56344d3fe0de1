// thalwegd: the server.
#include <CLI/CLI.hpp>
#include <string>

#include "server/commands/commands.h"
#include "server/commands/logging.h"
#include "server/world/level_program.h"

// NOLINTNEXTLINE(bugprone-exception-escape): an uncaught exception ends the program.
int main(int argc, char** argv) {
  using namespace thalweg;
  commands::LogToStderr();

  CLI::App app("Thalweg's server: infinite terrain, computed on demand.", "thalwegd");
  app.set_version_flag("--version", "thalwegd " THALWEG_VERSION ", generator version " +
                                        std::to_string(world::kGeneratorVersion));
  app.require_subcommand(1);
  app.footer(
      "\nExample: thalwegd serve --http 127.0.0.1:8080, then open http://127.0.0.1:8080/ in a "
      "browser.\n`thalwegd COMMAND --help` has a command's options. Exit codes: 0 done, 1 failed, "
      "2 "
      "wrong usage.");
  int exit_code = commands::kSuccess;
  commands::AddServeCommand(app, &exit_code);
  commands::AddBakeCommand(app, &exit_code);
  commands::AddConfigCommand(app, &exit_code);
  commands::AddTokenCommand(app, &exit_code);
  commands::AddCacheKeyCommand(app, &exit_code);
  commands::AddDevicesCommand(app, &exit_code);
  commands::AddSelftestCommand(app, &exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 prints help as well as complaints, and has an exit code for each kind of mistake.
    return app.exit(error) == 0 ? commands::kSuccess : commands::kUsage;
  }
  return exit_code;
}
