// A buffer with its own memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/placement.h"
#include "server/backend/vulkan/device.h"
#include "server/backend/vulkan/pipelines.h"

namespace thalweg::backend::vulkan {

// How the CPU and the device access a buffer.
enum class Access {
  kDevice,    // only the device
  kUnified,   // the device, and the CPU as fast as its own memory
  kUpload,    // the CPU writes, the device reads
  kReadback,  // the device writes, the CPU reads
};

// A storage and transfer buffer. It is mapped while it exists, unless only the device uses it.
class Buffer {
 public:
  // RESOURCE_EXHAUSTED or an exception if memory of this kind is missing or used up.
  static absl::StatusOr<std::unique_ptr<Buffer>> Create(const Device& device, std::size_t bytes,
                                                        Access access);

  vk::Buffer handle() const { return *buffer_; }
  std::size_t bytes() const { return bytes_; }
  // Null if only the device uses the buffer.
  std::byte* mapped() const { return mapped_; }

 private:
  Buffer(std::size_t bytes, vk::raii::Buffer buffer, vk::raii::DeviceMemory memory,
         std::byte* mapped);

  std::size_t bytes_;
  // Freed after the buffer that is bound to it.
  vk::raii::DeviceMemory memory_;
  vk::raii::Buffer buffer_;
  std::byte* mapped_;
};

// Buffers hold values of 32 bits.
inline constexpr std::size_t kWordBytes = sizeof(std::int32_t);

// The sizes that a batch needs.
struct ScratchNeed {
  std::size_t windows = 0;
  std::size_t window_side = 0;
  // For each window: the values that a parent passes to its child, and the values of a result.
  std::size_t parent_values = 0;
  std::size_t result_values = 0;
  std::size_t instructions = 0;
  // Values of real land for each window.
  std::size_t elevation_values = 0;

  // The bytes of one binding's buffer.
  std::size_t BytesOf(Binding binding) const;
  // The bytes of all buffers, and of the largest one.
  std::size_t TotalBytes() const;
  std::size_t LargestBytes() const;
};

// One buffer for each binding, grown to the largest need so far, and the descriptor set that binds
// them. Used by one thread at a time, while the device is idle. The device must outlive it.
class Scratch {
 public:
  Scratch(const Device& device, const Pipelines& pipelines);

  // Grows the buffers. RESOURCE_EXHAUSTED if the device lacks memory, or can't bind so much.
  absl::Status Reserve(const ScratchNeed& need);

  const Buffer& buffer(Binding binding) const {
    return *buffers_[static_cast<std::size_t>(binding)];
  }
  vk::DescriptorSet descriptors() const { return *descriptors_; }

 private:
  void BindBuffers();

  const Device& device_;
  std::array<std::unique_ptr<Buffer>, kBindings> buffers_;
  vk::raii::DescriptorPool pool_;
  vk::raii::DescriptorSet descriptors_;
};

}  // namespace thalweg::backend::vulkan
