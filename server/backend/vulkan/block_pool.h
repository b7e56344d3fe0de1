// Finished blocks, and the buffers that they leave behind for the next ones.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "server/backend/backend.h"
#include "server/backend/vulkan/buffer.h"
#include "server/backend/vulkan/device.h"

namespace thalweg::backend::vulkan {

// The memory of one device's blocks. Thread-safe. Lives as long as the last of its blocks, and its
// device with it.
class BlockPool {
 public:
  explicit BlockPool(std::shared_ptr<const Device> device) : device_(std::move(device)) {}

  // A buffer of this size or a little more, its content undefined.
  absl::StatusOr<std::unique_ptr<Buffer>> Take(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);

  // Keeps the buffer for the next Take, or frees it if enough are kept.
  void Return(std::unique_ptr<Buffer> buffer) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  std::shared_ptr<const Device> device_;
  absl::Mutex mutex_;
  absl::flat_hash_map<std::size_t, std::vector<std::unique_ptr<Buffer>>> idle_
      ABSL_GUARDED_BY(mutex_);
  std::size_t idle_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

// A block in a device's memory: laid out as ResultLayout says.
class VulkanBlock final : public Block {
 public:
  VulkanBlock(const world::BlockShape& shape, const LayerSet& layers,
              std::shared_ptr<BlockPool> pool, std::unique_ptr<Buffer> buffer)
      : Block(shape, layers), pool_(std::move(pool)), buffer_(std::move(buffer)) {}
  ~VulkanBlock() override { pool_->Return(std::move(buffer_)); }

  VulkanBlock(const VulkanBlock&) = delete;
  VulkanBlock& operator=(const VulkanBlock&) = delete;

  const BlockPool* pool() const { return pool_.get(); }
  const Buffer& buffer() const { return *buffer_; }

 private:
  std::shared_ptr<BlockPool> pool_;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace thalweg::backend::vulkan
