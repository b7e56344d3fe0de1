// --device, as every command that computes takes it.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/backend_factory.h"

namespace thalweg::commands {

// Adds --device to a command; `device` outlives it.
void AddDeviceOption(CLI::App& command, std::string* device);

// Opens a backend and logs which. Its error says what to do.
absl::StatusOr<std::unique_ptr<backend::Backend>> OpenBackend(
    const backend::BackendOptions& options);

}  // namespace thalweg::commands
