// An open device and its one queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/statusor.h"
#include "server/backend/vulkan/instance.h"

namespace thalweg::backend::vulkan {

// The properties of a device that this folder needs.
struct Traits {
  bool is_cpu = false;
  // Whether 64-bit atomics in buffers exist and may be used.
  bool atomic64 = false;
  // Whether modules may declare that floats are rounded to the nearest even value.
  bool rounding_mode_rte = false;
  // Whether blocks can be in memory that the CPU reads as fast as its own.
  bool unified_memory = false;
  // Whether sweeps that follow each other are one dispatch, in memory that workgroups share.
  bool join_sweeps = false;
  // The max size of a buffer that can be bound.
  std::size_t max_binding_bytes = 0;
  // The size of the device's largest local memory.
  std::size_t memory_bytes = 0;
  std::uint32_t queue_family = 0;
  // The bits of the queue's clock; 0 if it has none.
  std::uint32_t timestamp_bits = 0;
};

// Traits that are not the device's own: some are not used, even if it has them.
struct Choices {
  bool without_atomic64 = false;
  bool without_unified_memory = false;
  std::optional<bool> join_sweeps = std::nullopt;
};

class Device {
 public:
  // The device holds the instance.
  static absl::StatusOr<std::shared_ptr<const Device>> Create(
      std::shared_ptr<const Instance> instance, const vk::raii::PhysicalDevice& physical,
      const Choices& choices);

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
