#include "server/backend/vulkan/block_pool.h"

#include <algorithm>

#include "proto/wire/status_macros.h"

namespace thalweg::backend::vulkan {
namespace {

// Sizes are rounded up to this many bytes, so that blocks of different levels can share slots.
constexpr std::size_t kGranule = std::size_t{64} << 10;
// Max bytes of all empty slabs together; they are kept for the next blocks.
constexpr std::size_t kIdleBytes = std::size_t{64} << 20;
// The max size of a slab with several slots. Vulkan 1.1 guarantees allocations of 1 GiB.
constexpr std::size_t kSlabBytes = std::size_t{64} << 20;
// A new slab has room for this fraction of the blocks in use. So at most this fraction is unused
// while their number grows.
constexpr std::size_t kGrowth = 4;

}  // namespace

// One buffer, cut into slots of one size.
struct BlockMemory::Slab {
  bool IsFull() const { return free_slots.empty(); }
  bool IsIdle() const { return free_slots.size() == slots; }

  std::unique_ptr<Buffer> buffer;
  std::size_t slot_bytes = 0;
  std::size_t slots = 0;
  std::vector<std::size_t> free_slots;
};

BlockMemory::~BlockMemory() {
  if (pool_ != nullptr) pool_->Return(slab_, slot_);
}

vk::Buffer BlockMemory::buffer() const { return slab_->buffer->handle(); }

std::size_t BlockMemory::offset() const { return slot_ * slab_->slot_bytes; }

std::byte* BlockMemory::mapped() const {
  std::byte* const first = slab_->buffer->mapped();
  return first != nullptr ? first + offset() : nullptr;
}

BlockPool::BlockPool(std::shared_ptr<const Device> device) : device_(std::move(device)) {}

BlockPool::~BlockPool() = default;

std::shared_ptr<BlockPool> BlockPool::Create(std::shared_ptr<const Device> device) {
  return std::shared_ptr<BlockPool>(new BlockPool(std::move(device)));
}

absl::StatusOr<BlockMemory> BlockPool::Take(std::size_t bytes) {
  const std::size_t slot_bytes =
      std::max((bytes + kGranule - 1) / kGranule, std::size_t{1}) * kGranule;
  const Access access = device_->traits().unified_memory ? Access::kUnified : Access::kDevice;
  absl::MutexLock lock(&mutex_);
  SizeClass& of_size = classes_[slot_bytes];
  // Uses the oldest slab with a free slot, so that younger slabs become empty and can be freed.
  auto found = std::find_if(of_size.slabs.begin(), of_size.slabs.end(),
                            [](const auto& slab) { return !slab->IsFull(); });
  if (found == of_size.slabs.end()) {
    auto slab = std::make_unique<Slab>();
    slab->slot_bytes = slot_bytes;
    slab->slots =
        std::max(std::min(of_size.used_slots / kGrowth, kSlabBytes / slot_bytes), std::size_t{1});
    THALWEG_ASSIGN_OR_RETURN(slab->buffer,
                             Buffer::Create(*device_, slab->slots * slot_bytes, access));
    for (std::size_t slot = slab->slots; slot > 0; --slot) slab->free_slots.push_back(slot - 1);
    idle_bytes_ += slab->buffer->bytes();
    found = of_size.slabs.insert(of_size.slabs.end(), std::move(slab));
  }
  Slab& slab = **found;
  if (slab.IsIdle()) idle_bytes_ -= slab.buffer->bytes();
  const std::size_t slot = slab.free_slots.back();
  slab.free_slots.pop_back();
  ++of_size.used_slots;
  return BlockMemory(shared_from_this(), &slab, slot);
}

void BlockPool::Return(Slab* slab, std::size_t slot) {
  absl::MutexLock lock(&mutex_);
  SizeClass& of_size = classes_[slab->slot_bytes];
  --of_size.used_slots;
  slab->free_slots.push_back(slot);
  if (!slab->IsIdle()) return;
  if (idle_bytes_ + slab->buffer->bytes() <= kIdleBytes) {
    idle_bytes_ += slab->buffer->bytes();
    return;
  }
  std::erase_if(of_size.slabs, [slab](const auto& other) { return other.get() == slab; });
}

}  // namespace thalweg::backend::vulkan
