// The flags that the fields of a configuration are.
#pragma once

#include <CLI/App.hpp>
#include <memory>

#include "absl/status/statusor.h"
#include "server/commands/config.h"

namespace thalweg::commands {

// What a command line says of the configuration.
struct ConfigFlags {
  // A file; empty: none.
  std::string file;
  // The fields that have flags on the command line, and no other.
  ServerConfig given;
};

// Adds --config and a flag a field: --cache-mb for cache_mb. The flags live as long as the command.
std::shared_ptr<const ConfigFlags> AddConfigFlags(CLI::App& command);

// The configuration in effect: the flags over the file over the defaults, checked.
absl::StatusOr<ServerConfig> EffectiveConfig(const ConfigFlags& flags);

}  // namespace thalweg::commands
