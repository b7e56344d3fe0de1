#include "server/backend/host/scratch.h"

#include <utility>

namespace thalweg::backend {

void Scratch::Resize(std::size_t side, std::size_t windows) {
  const std::size_t vertices = side * side * windows;
  guard_ = side + 1;
  height_.resize(2 * vertices);
  start_.resize(vertices);
  fraction_.resize(vertices);
  flow_.resize(vertices);
  discharge_.resize(vertices);
  rate_.resize(vertices);
  layers_.resize(static_cast<std::size_t>(kernels::kLayerPlanes) * vertices);
  movers_.resize(2 * (vertices + guard_));
  sums_.resize(vertices);
}

kernels::Buffers Scratch::buffers() {
  kernels::Buffers buffers;
  buffers.height = height_.data();
  buffers.start = start_.data();
  buffers.fraction = fraction_.data();
  buffers.flow = flow_.data();
  buffers.discharge = discharge_.data();
  buffers.rate = rate_.data();
  buffers.layers = layers_.data();
  buffers.movers = movers_.data() + guard_;
  buffers.sums = sums_.data();
  buffers.elevation = elevation_.data();
  return buffers;
}

std::unique_ptr<Scratch> ScratchPool::Take(std::size_t side, std::size_t windows) {
  std::unique_ptr<Scratch> taken;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      taken = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (taken == nullptr) taken = std::make_unique<Scratch>();
  taken->Resize(side, windows);
  return taken;
}

void ScratchPool::Return(std::unique_ptr<Scratch> scratch) {
  const std::lock_guard lock(mutex_);
  if (free_.size() < kept_) free_.push_back(std::move(scratch));
}

}  // namespace thalweg::backend
