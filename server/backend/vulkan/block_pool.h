// The memory of finished blocks. Many blocks share one allocation.
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

class BlockPool;

// The memory of one block: a part of a buffer that holds other blocks too. Returned when destroyed.
class BlockMemory {
 public:
  BlockMemory(BlockMemory&& other) noexcept = default;
  BlockMemory& operator=(BlockMemory&&) = delete;
  ~BlockMemory();

  const BlockPool* pool() const { return pool_.get(); }
  vk::Buffer buffer() const;
  // The first byte in the buffer.
  std::size_t offset() const;
  // Null if only the device can access the memory.
  std::byte* mapped() const;

 private:
  friend class BlockPool;
  struct Slab;
  BlockMemory(std::shared_ptr<BlockPool> pool, Slab* slab, std::size_t slot)
      : pool_(std::move(pool)), slab_(slab), slot_(slot) {}

  // Null once it was moved from.
  std::shared_ptr<BlockPool> pool_;
  Slab* slab_;
  std::size_t slot_;
};

// The memory of one device's blocks, in buffers of equal slots: a driver may allow as few as 4,096
// allocations (maxMemoryAllocationCount). Thread-safe. Its blocks keep it alive, and it keeps its
// device alive.
class BlockPool : public std::enable_shared_from_this<BlockPool> {
 public:
  static std::shared_ptr<BlockPool> Create(std::shared_ptr<const Device> device);
  ~BlockPool();

  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  // Memory of at least this size, with undefined content. RESOURCE_EXHAUSTED or an exception if
  // memory is used up.
  absl::StatusOr<BlockMemory> Take(std::size_t bytes) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  friend class BlockMemory;
  using Slab = BlockMemory::Slab;
  // Slabs with slots of one size.
  struct SizeClass {
    std::vector<std::unique_ptr<Slab>> slabs;
    std::size_t used_slots = 0;
  };

  explicit BlockPool(std::shared_ptr<const Device> device);
  void Return(Slab* slab, std::size_t slot) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<const Device> device_;
  absl::Mutex mutex_;
  absl::flat_hash_map<std::size_t, SizeClass> classes_ ABSL_GUARDED_BY(mutex_);
  // The bytes of slabs that have no block.
  std::size_t idle_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

// A block in a device's memory, in the layout of ResultLayout.
class VulkanBlock final : public Block {
 public:
  VulkanBlock(const world::BlockShape& shape, const LayerSet& layers, int windows,
              BlockMemory memory)
      : Block(shape, layers, windows), memory_(std::move(memory)) {}

  const BlockMemory& memory() const { return memory_; }

 private:
  BlockMemory memory_;
};

}  // namespace thalweg::backend::vulkan
