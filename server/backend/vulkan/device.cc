#include "server/backend/vulkan/device.h"

#include <algorithm>
#include <utility>

#include "shaders/stages/pass.glsl"

namespace thalweg::backend::vulkan {
namespace {

using Memory = vk::MemoryPropertyFlagBits;

// The index of the queue family that can compute and has the fewest other capabilities.
std::uint32_t ComputeFamily(const vk::raii::PhysicalDevice& physical) {
  const auto families = physical.getQueueFamilyProperties();
  std::uint32_t found = 0;
  bool found_pure = false;
  bool any = false;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    const vk::QueueFlags flags = families[i].queueFlags;
    if (!(flags & vk::QueueFlagBits::eCompute)) continue;
    const bool pure = !(flags & vk::QueueFlagBits::eGraphics);
    if (any && (!pure || found_pure)) continue;
    found = i;
    found_pure = pure;
    any = true;
  }
  return found;
}

std::size_t LargestDeviceHeap(const vk::PhysicalDeviceMemoryProperties& memory) {
  vk::DeviceSize largest = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if (memory.memoryHeaps[i].flags & vk::MemoryHeapFlagBits::eDeviceLocal) {
      largest = std::max(largest, memory.memoryHeaps[i].size);
    }
  }
  return largest;
}

bool HasUnifiedMemory(const vk::PhysicalDeviceMemoryProperties& memory,
                      vk::PhysicalDeviceType type) {
  if (type != vk::PhysicalDeviceType::eCpu && type != vk::PhysicalDeviceType::eIntegratedGpu) {
    return false;
  }
  const vk::MemoryPropertyFlags wanted =
      Memory::eDeviceLocal | Memory::eHostVisible | Memory::eHostCoherent | Memory::eHostCached;
  const auto* types = memory.memoryTypes.data();
  return std::any_of(types, types + memory.memoryTypeCount,
                     [&](const auto& t) { return (t.propertyFlags & wanted) == wanted; });
}

// Whether a workgroup may be as large as a tile needs it (shaders/stages/tile.glsl).
bool HasRoomForTiles(const vk::PhysicalDeviceLimits& limits) {
  return limits.maxComputeWorkGroupInvocations >= kernels::kTileWidth * kernels::kTileStrips &&
         limits.maxComputeWorkGroupSize[0] >= kernels::kTileWidth &&
         limits.maxComputeWorkGroupSize[1] >= kernels::kTileStrips &&
         limits.maxComputeSharedMemorySize >= kernels::kTileShared * sizeof(std::int32_t);
}

Traits TraitsOf(const vk::raii::PhysicalDevice& physical, const Choices& choices) {
  const auto features =
      physical.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan12Features>();
  const auto properties =
      physical
          .getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceVulkan12Properties>();
  const vk::PhysicalDeviceProperties& core =
      properties.get<vk::PhysicalDeviceProperties2>().properties;
  const vk::PhysicalDeviceMemoryProperties memory = physical.getMemoryProperties();
  Traits traits;
  traits.is_cpu = core.deviceType == vk::PhysicalDeviceType::eCpu;
  traits.atomic64 = !choices.without_atomic64 &&
                    features.get<vk::PhysicalDeviceVulkan12Features>().shaderBufferInt64Atomics;
  traits.rounding_mode_rte =
      properties.get<vk::PhysicalDeviceVulkan12Properties>().shaderRoundingModeRTEFloat32;
  traits.unified_memory =
      !choices.without_unified_memory && HasUnifiedMemory(memory, core.deviceType);
  traits.join_sweeps = choices.join_sweeps.value_or(!traits.is_cpu) && HasRoomForTiles(core.limits);
  traits.max_binding_bytes = core.limits.maxStorageBufferRange;
  traits.memory_bytes = LargestDeviceHeap(memory);
  traits.queue_family = ComputeFamily(physical);
  traits.timestamp_bits =
      physical.getQueueFamilyProperties()[traits.queue_family].timestampValidBits;
  return traits;
}

vk::raii::Device Open(const vk::raii::PhysicalDevice& physical, const Traits& traits) {
  const float priority = 1.0f;
  const vk::DeviceQueueCreateInfo queue({}, traits.queue_family, 1, &priority);
  vk::PhysicalDeviceFeatures features;
  features.shaderInt64 = VK_TRUE;
  vk::PhysicalDeviceVulkan12Features features12;
  features12.shaderBufferInt64Atomics = traits.atomic64 ? VK_TRUE : VK_FALSE;
  vk::DeviceCreateInfo info({}, queue, {}, {}, &features);
  info.pNext = &features12;
  return {physical, info};
}

}  // namespace

Device::Device(std::shared_ptr<const Instance> instance, const vk::raii::PhysicalDevice& physical,
               const Traits& traits)
    : instance_(std::move(instance)),
      traits_(traits),
      properties_(physical.getProperties()),
      memory_(physical.getMemoryProperties()),
      device_(Open(physical, traits)),
      queue_(device_.getQueue(traits.queue_family, 0)) {}

absl::StatusOr<std::shared_ptr<const Device>> Device::Create(
    std::shared_ptr<const Instance> instance, const vk::raii::PhysicalDevice& physical,
    const Choices& choices) {
  const Traits traits = TraitsOf(physical, choices);
  return std::shared_ptr<const Device>(new Device(std::move(instance), physical, traits));
}

}  // namespace thalweg::backend::vulkan
