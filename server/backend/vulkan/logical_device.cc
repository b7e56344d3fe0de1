#include "server/backend/vulkan/logical_device.h"

#include <string>

#include "server/backend/vulkan/pipelines.h"

namespace thalweg::backend::vulkan {

LogicalDevice::LogicalDevice(std::shared_ptr<const Instance> instance,
                             std::shared_ptr<MessageLog> log, vk::raii::PhysicalDevice physical,
                             const VulkanOptions& options)
    : log_(std::move(log)),
      instance_(std::move(instance)),
      physical_(std::move(physical)),
      options_(options) {}

absl::StatusOr<std::unique_ptr<LogicalDevice>> LogicalDevice::Create(
    std::shared_ptr<const Instance> instance, std::shared_ptr<MessageLog> log,
    vk::raii::PhysicalDevice physical, const VulkanOptions& options) {
  std::unique_ptr<LogicalDevice> device(
      new LogicalDevice(std::move(instance), std::move(log), std::move(physical), options));
  THALWEG_RETURN_IF_ERROR(device->Open());
  return device;
}

absl::Status LogicalDevice::Open() {
  THALWEG_ASSIGN_OR_RETURN(
      std::shared_ptr<const Device> device,
      Device::Create(instance_, physical_,
                     {.without_atomic64 = options_.force_no_atomic64,
                      .without_unified_memory = options_.force_no_unified_memory,
                      .join_sweeps = options_.join_sweeps}));
  traits_ = device->traits();
  std::string cache_path = options_.pipeline_cache;
  if (cache_path.empty()) cache_path = DefaultCachePath(*device);
  if (cache_path == "off") cache_path.clear();
  THALWEG_ASSIGN_OR_RETURN(queue_, ComputeQueue::Create(std::move(device), std::move(cache_path),
                                                        options_.scratch_budget_bytes));
  return absl::OkStatus();
}

absl::Status LogicalDevice::OpenAgain() {
  return CatchExceptions("open the device again", [this] { return Open(); });
}

}  // namespace thalweg::backend::vulkan
