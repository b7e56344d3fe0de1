#include "server/backend/factory/backend_factory.h"

#include <algorithm>
#include <future>

#include "server/backend/native/native_backend.h"
#include "server/backend/reference/reference_backend.h"
#include "server/sharing/threads.h"

namespace thalweg::backend {
namespace {

// Whether a Vulkan device can be used that is not the processor itself.
bool HasGpu() {
  const absl::StatusOr<std::vector<DeviceInfo>> devices = vulkan::ListDevices();
  return devices.ok() &&
         std::any_of(devices->begin(), devices->end(), [](const DeviceInfo& device) {
           return device.usable() && device.type != "cpu";
         });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Backend>> CreateBackend(const BackendOptions& options) {
  std::string device = options.vulkan.device;
  if (device == kAutoName) device = HasGpu() ? vulkan::kVulkanName : kNativeName;
  if (device == kReferenceName) return CreateReference(options.threads);
  // What computes on the processor starts its threads here; they get this thread's priority.
  return std::async(std::launch::async,
                    [&]() -> absl::StatusOr<std::unique_ptr<Backend>> {
                      sharing::GiveWay();
                      if (device == kNativeName) return CreateNative({.threads = options.threads});
                      vulkan::VulkanOptions opened = options.vulkan;
                      opened.device = device;
                      return vulkan::VulkanBackend::Create(opened);
                    })
      .get();
}

absl::StatusOr<std::vector<DeviceInfo>> ListDevices() { return vulkan::ListDevices(); }

}  // namespace thalweg::backend
