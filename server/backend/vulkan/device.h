// An open device and its one queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/statusor.h"
#include "server/backend/vulkan/instance.h"

namespace thalweg::backend::vulkan {

// The device's properties that this folder needs.
struct Traits {
  bool is_cpu = false;
  // 64-bit atomics in buffers exist and may be used.
  bool atomic64 = false;
  // Modules may declare that floats round to nearest even.
  bool rounding_mode_rte = false;
  // Blocks can live in memory that the CPU reads as fast as its own.
  bool unified_memory = false;
  // The largest buffer that can be bound.
  std::size_t max_binding_bytes = 0;
  // The size of the device's largest local memory.
  std::size_t memory_bytes = 0;
  std::uint32_t queue_family = 0;
  // The bits of the queue's clock; 0: it has none.
  std::uint32_t timestamp_bits = 0;
};

// Traits to leave unused, even if the device has them.
struct Without {
  bool atomic64 = false;
  bool unified_memory = false;
};

class Device {
 public:
  // The device shares the instance.
  static absl::StatusOr<std::shared_ptr<const Device>> Create(
      std::shared_ptr<const Instance> instance, const vk::raii::PhysicalDevice& physical,
      const Without& without);

  const vk::raii::Device& handle() const { return device_; }
  const vk::raii::Queue& queue() const { return queue_; }
  const Traits& traits() const { return traits_; }
  const vk::PhysicalDeviceProperties& properties() const { return properties_; }
  const vk::PhysicalDeviceMemoryProperties& memory() const { return memory_; }

 private:
  Device(std::shared_ptr<const Instance> instance, const vk::raii::PhysicalDevice& physical,
         const Traits& traits);

  std::shared_ptr<const Instance> instance_;
  Traits traits_;
  vk::PhysicalDeviceProperties properties_;
  vk::PhysicalDeviceMemoryProperties memory_;
  vk::raii::Device device_;
  vk::raii::Queue queue_;
};

}  // namespace thalweg::backend::vulkan
