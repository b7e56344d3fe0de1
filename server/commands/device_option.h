// The flag --device, for every command that computes.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/backend_factory.h"

namespace thalweg::commands {

// Adds --device to a command; `device` outlives it.
void AddDeviceOption(CLI::App& command, std::string* device);

// Opens a backend and logs which. Its error says what to do.
absl::StatusOr<std::unique_ptr<backend::Backend>> OpenBackend(
    const backend::BackendOptions& options);

// The names of devices in a text with commas between them. INVALID_ARGUMENT if one is empty.
absl::StatusOr<std::vector<std::string>> DevicesOf(const std::string& text);

// Opens every device of options.device; one that is named twice is opened twice.
absl::StatusOr<std::vector<std::unique_ptr<backend::Backend>>> OpenBackends(
    const backend::BackendOptions& options);

}  // namespace thalweg::commands
