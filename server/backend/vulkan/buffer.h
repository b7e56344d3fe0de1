// A buffer with its own memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/statusor.h"
#include "server/backend/vulkan/device.h"

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

}  // namespace thalweg::backend::vulkan
