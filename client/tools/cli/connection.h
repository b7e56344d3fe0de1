// How the program reaches its server.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/tools/cli/arguments.h"
#include "thalweg/client.h"
#include "thalweg/layer.h"
#include "thalweg/sample.h"

namespace thalweg::cli {

// Options that several commands share.
const std::map<std::string, Layer>& LayersByName();

// Returns a line for each layer, in the order of their numbers.
std::string LayerList();

CLI::Option* AddWorld(CLI::App& command, std::string& world);

// Adds a position on a planet, LAT,LON in degrees.
CLI::Option* AddPlace(CLI::App& command, const std::string& name, const std::string& text,
                      std::optional<LatLong>& place);

// Adds the connection options, which every command with a server has.
void AddConnection(CLI::App& command, ConnectionArguments& connection);

// Reads the named files, and the token from THALWEG_TOKEN if no file has it. INVALID_ARGUMENT for a
// file without a token, or the system's error. Errors never contain a token.
absl::StatusOr<ClientOptions> ReadOptions(const ConnectionArguments& connection);

}  // namespace thalweg::cli
