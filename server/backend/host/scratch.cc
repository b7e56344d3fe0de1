#include "server/backend/host/scratch.h"

namespace thalweg::backend {

Scratch::Scratch(std::size_t vertices)
    : height_(2 * vertices),
      start_(vertices),
      fraction_(vertices),
      flow_(vertices),
      discharge_(vertices),
      rate_(vertices),
      layers_(static_cast<std::size_t>(kernels::kLayerPlanes) * vertices),
      movers_(2 * vertices),
      sums_(vertices) {}

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
  buffers.movers = movers_.data();
  buffers.sums = sums_.data();
  buffers.elevation = elevation_.data();
  return buffers;
}

}  // namespace thalweg::backend
