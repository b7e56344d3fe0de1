// Opens a backend by its name.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/vulkan/vulkan_backend.h"

namespace thalweg::backend {

// The best GPU, or else the processor's own kernels.
inline constexpr char kAutoName[] = "auto";

struct BackendOptions {
  // How many threads of the processor compute, if it does; 0: one for each core.
  int threads = 0;
  // Its device may be "auto", "native" or "reference" too.
  vulkan::VulkanOptions vulkan;
};

// Opens a backend. NOT_FOUND, naming what to install, if there is no such device; INVALID_ARGUMENT
// if the name is invalid; FAILED_PRECONDITION if the device can't be used.
absl::StatusOr<std::unique_ptr<Backend>> CreateBackend(const BackendOptions& options);

// The Vulkan devices of this machine, usable or not. NOT_FOUND if Vulkan is not installed.
absl::StatusOr<std::vector<DeviceInfo>> ListDevices();

}  // namespace thalweg::backend
