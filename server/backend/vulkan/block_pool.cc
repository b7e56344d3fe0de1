#include "server/backend/vulkan/block_pool.h"

namespace thalweg::backend::vulkan {
namespace {

// Levels' blocks differ a little in size; in steps of this many bytes more of them can take each
// other's place.
constexpr std::size_t kGranule = std::size_t{64} << 10;
// What idle buffers may hold.
constexpr std::size_t kIdleBytes = std::size_t{64} << 20;

}  // namespace

absl::StatusOr<std::unique_ptr<Buffer>> BlockPool::Take(std::size_t bytes) {
  const std::size_t rounded = (bytes + kGranule - 1) / kGranule * kGranule;
  {
    absl::MutexLock lock(&mutex_);
    if (auto found = idle_.find(rounded); found != idle_.end() && !found->second.empty()) {
      std::unique_ptr<Buffer> buffer = std::move(found->second.back());
      found->second.pop_back();
      idle_bytes_ -= rounded;
      return buffer;
    }
  }
  return Buffer::Create(*device_, rounded,
                        device_->traits().unified_memory ? Access::kUnified : Access::kDevice);
}

void BlockPool::Return(std::unique_ptr<Buffer> buffer) {
  absl::MutexLock lock(&mutex_);
  if (idle_bytes_ + buffer->bytes() > kIdleBytes) return;
  idle_bytes_ += buffer->bytes();
  idle_[buffer->bytes()].push_back(std::move(buffer));
}

}  // namespace thalweg::backend::vulkan
