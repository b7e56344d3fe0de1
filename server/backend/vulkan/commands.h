// Command buffers that are recorded, submitted together and waited for later.
#pragma once

#include <cstddef>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

#include "server/backend/vulkan/device.h"

namespace thalweg::backend::vulkan {

// Used by one thread at a time. The device must outlive it.
class Commands {
 public:
  explicit Commands(const Device& device);

  // Begins another command buffer and ends the one before. The result is valid until Submit.
  // Nothing that was submitted may be under way.
  const vk::raii::CommandBuffer& Begin();

  // Submits, in order, all command buffers that were begun since the last Submit.
  void Submit();

  // Waits until the submission is done and the CPU may read its results.
  void Await();

  // Forgets the command buffers that were begun. Does not throw.
  void Drop();

 private:
  const Device& device_;
  vk::raii::CommandPool pool_;
  vk::raii::Fence fence_;
  // As many as were ever submitted at once.
  std::vector<vk::raii::CommandBuffer> buffers_;
  std::size_t begun_ = 0;
};

// What a barrier orders: transfers, dispatches, both, or the CPU's reads.
enum class Work { kTransfer, kDispatch, kAny, kHostRead };

// A barrier: `after` waits for `before`, and sees what it wrote.
void Barrier(const vk::raii::CommandBuffer& commands, Work before, Work after);

}  // namespace thalweg::backend::vulkan
