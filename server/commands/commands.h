// The commands of thalwegd. Each function adds a command to the command line. The command runs when
// it is parsed, and sets the exit code.
#pragma once

#include <CLI/App.hpp>

#include "proto/command_line/run.h"

namespace thalweg::commands {

using command_line::kFailure;
using command_line::kSuccess;
using command_line::kUsage;

// `serve`: answers calls until SIGTERM or SIGINT; SIGHUP makes it look at its files.
void AddServeCommand(CLI::App& app, int* exit_code);
// `bake`: computes a region into a folder of parts.
void AddBakeCommand(CLI::App& app, int* exit_code);
// `config`: prints the configuration that `serve` would have.
void AddConfigCommand(CLI::App& app, int* exit_code);
// `token`: makes a token and its line for the tokens file.
void AddTokenCommand(CLI::App& app, int* exit_code);
// `cache-key`: makes the key of a shared cache.
void AddCacheKeyCommand(CLI::App& app, int* exit_code);
// `check-world`: prints all that is wrong in specifications of worlds.
void AddCheckWorldCommand(CLI::App& app, int* exit_code);
// `devices`: lists the devices that can compute.
void AddDevicesCommand(CLI::App& app, int* exit_code);
// `bench`: measures what this machine gives.
void AddBenchCommand(CLI::App& app, int* exit_code);
// `selftest`: compares a device's results with the committed digests.
void AddSelftestCommand(CLI::App& app, int* exit_code);

}  // namespace thalweg::commands
