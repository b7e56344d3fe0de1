// How the program reaches its server.
#pragma once

#include <CLI/App.hpp>

#include "absl/status/statusor.h"
#include "client/cli/arguments.h"
#include "thalweg/client.h"

namespace thalweg::cli {

// Adds the connection options, which every command with a server has.
void AddConnection(CLI::App& command, ConnectionArguments& connection);

// Reads the named files, and the token from THALWEG_TOKEN if no file has it. INVALID_ARGUMENT for a
// file without a token, or the system's error. Errors never contain a token.
absl::StatusOr<ClientOptions> ReadOptions(const ConnectionArguments& connection);

}  // namespace thalweg::cli
