// The flag --device of every command that computes.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/factory/backend_factory.h"

namespace thalweg::commands {

// Adds --device to a command, which `device` must outlive.
void AddDeviceOption(CLI::App& command, std::string* device);

// --threads, or THALWEG_THREADS of the environment: for a job that has a part of a machine.
void AddThreadsOption(CLI::App& command, int* threads);

// Opens a backend and logs its name. Errors say what to do.
absl::StatusOr<std::unique_ptr<backend::Backend>> OpenBackend(
    const backend::BackendOptions& options);

// Parses names of devices with commas between them. INVALID_ARGUMENT if one is empty.
absl::StatusOr<std::vector<std::string>> DevicesOf(const std::string& text);

// Opens every device of options.vulkan.device; twice if it is named twice.
absl::StatusOr<std::vector<std::unique_ptr<backend::Backend>>> OpenBackends(
    const backend::BackendOptions& options);

}  // namespace thalweg::commands
