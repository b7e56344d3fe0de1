// The flags of `serve`, one for each field of the configuration.
#pragma once

#include <CLI/App.hpp>
#include <memory>

#include "absl/status/statusor.h"
#include "server/commands/config.h"

namespace thalweg::commands {

// The configuration of a command line.
struct ConfigFlags {
  // A file; empty: none.
  std::string file;
  // Only the fields that have flags on the command line.
  ServerConfig given;
};

// Adds --config and a flag a field: --cache-mb for cache_mb. The flags live as long as the command.
std::shared_ptr<const ConfigFlags> AddConfigFlags(CLI::App& command);

// The configuration in effect: the flags over the file over the defaults, checked.
absl::StatusOr<ServerConfig> EffectiveConfig(const ConfigFlags& flags);

}  // namespace thalweg::commands
