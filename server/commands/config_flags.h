// The flags of `serve`: one for each field of the configuration.
#pragma once

#include <CLI/App.hpp>
#include <memory>

#include "absl/status/statusor.h"
#include "server/commands/config.h"

namespace thalweg::commands {

// The configuration on a command line.
struct ConfigFlags {
  // The path of a file; empty if none is given.
  std::string file;
  // Has only the fields whose flags are on the command line.
  ServerConfig given;
};

// Adds --config and a flag for each field: --cache-mb for cache_mb. The command holds the flags.
std::shared_ptr<const ConfigFlags> AddConfigFlags(CLI::App& command);

// The configuration in effect, checked: flags override the file, the file overrides defaults.
absl::StatusOr<ServerConfig> EffectiveConfig(const ConfigFlags& flags);

}  // namespace thalweg::commands
