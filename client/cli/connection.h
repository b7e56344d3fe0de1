// How the command reaches its server.
#pragma once

#include <CLI/App.hpp>

#include "absl/status/statusor.h"
#include "client/cli/arguments.h"
#include "thalweg/client.h"

namespace thalweg::cli {

// Adds the options that every command has for it.
void AddConnection(CLI::App& command, ConnectionArguments& connection);

// Reads the files that they name, and the token of THALWEG_TOKEN where none is named.
// INVALID_ARGUMENT for a file without a token, or what the system says; never with a token.
absl::StatusOr<ClientOptions> ReadOptions(const ConnectionArguments& connection);

}  // namespace thalweg::cli
