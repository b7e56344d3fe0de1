#include "server/backend/backend_factory.h"

#include <future>

#include "server/backend/give_way.h"
#include "server/backend/native/native_backend.h"
#include "server/backend/reference/reference_backend.h"

namespace thalweg::backend {

absl::StatusOr<std::unique_ptr<Backend>> CreateBackend(const BackendOptions& options) {
  if (options.vulkan.device == kReferenceName) return CreateReference(options.reference_threads);
  if (options.vulkan.device == kNativeName) {
    return CreateNative({.threads = options.reference_threads});
  }
  // A driver that computes on the CPU starts its own threads here; they get this thread's priority.
  return std::async(std::launch::async,
                    [&options]() -> absl::StatusOr<std::unique_ptr<Backend>> {
                      GiveWay();
                      return vulkan::VulkanBackend::Create(options.vulkan);
                    })
      .get();
}

absl::StatusOr<std::vector<DeviceInfo>> ListDevices() { return vulkan::ListDevices(); }

}  // namespace thalweg::backend
