// Opens a backend by its name.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/device_info.h"

namespace thalweg::backend {

struct BackendOptions {
  // "auto": the best Vulkan device; an index of ListDevices; or "reference".
  std::string device = "auto";
  // How many blocks the reference computes at once; 0: one for each core.
  int reference_threads = 0;
  // The rest are options of Vulkan devices: see vulkan::VulkanOptions.
  bool validation = false;
  bool force_no_atomic64 = false;
  std::size_t scratch_budget_bytes = 0;
  std::string pipeline_cache;
};

// Opens a backend. NOT_FOUND, naming what to install, if there is no such device; INVALID_ARGUMENT
// if the name is invalid; FAILED_PRECONDITION if the device can't be used.
absl::StatusOr<std::unique_ptr<Backend>> CreateBackend(const BackendOptions& options);

// The Vulkan devices of this machine, usable or not. NOT_FOUND if Vulkan is not installed.
absl::StatusOr<std::vector<DeviceInfo>> ListDevices();

}  // namespace thalweg::backend
