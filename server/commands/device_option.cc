#include "server/commands/device_option.h"

#include <spdlog/spdlog.h>

namespace thalweg::commands {

void AddDeviceOption(CLI::App& command, std::string* device) {
  command
      .add_option("--device", *device,
                  "What computes: auto (the best Vulkan device), a number that `thalwegd devices` "
                  "shows, or reference (the processor without Vulkan: slow, same bits)")
      ->capture_default_str();
}

absl::StatusOr<std::unique_ptr<backend::Backend>> OpenBackend(
    const backend::BackendOptions& options) {
  auto backend = backend::CreateBackend(options);
  if (backend.ok()) {
    spdlog::info("device: {}, {}", (*backend)->device_name(), (*backend)->driver());
  }
  return backend;
}

}  // namespace thalweg::commands
