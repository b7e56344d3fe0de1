#include "server/backend/host/scratch.h"

namespace thalweg::backend {

Scratch::Scratch(std::size_t side, std::size_t windows) : guard_(side + 1) {
  const std::size_t vertices = side * side * windows;
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
  buffers.parent = parent_.data();
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

}  // namespace thalweg::backend
