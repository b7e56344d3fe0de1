#include "server/backend/backend_factory.h"

#include <future>

#include "server/backend/give_way.h"
#include "server/backend/reference/reference_backend.h"
#include "server/backend/vulkan/vulkan_backend.h"

namespace thalweg::backend {

absl::StatusOr<std::unique_ptr<Backend>> CreateBackend(const BackendOptions& options) {
  if (options.device == "reference") return ReferenceBackend::Create(options.reference_threads);
  vulkan::VulkanOptions vulkan;
  vulkan.device = options.device;
  vulkan.validation = options.validation;
  vulkan.force_no_atomic64 = options.force_no_atomic64;
  vulkan.scratch_budget_bytes = options.scratch_budget_bytes;
  vulkan.pipeline_cache = options.pipeline_cache;
  // A driver that computes on the CPU starts its own threads here; they get this thread's priority.
  return std::async(std::launch::async,
                    [&vulkan]() -> absl::StatusOr<std::unique_ptr<Backend>> {
                      GiveWay();
                      return vulkan::VulkanBackend::Create(vulkan);
                    })
      .get();
}

absl::StatusOr<std::vector<DeviceInfo>> ListDevices() { return vulkan::ListDevices(); }

}  // namespace thalweg::backend
