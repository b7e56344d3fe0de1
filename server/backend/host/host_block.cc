#include "server/backend/host/host_block.h"

#include <algorithm>

#include "proto/wire/status_macros.h"

namespace thalweg::backend {

HostBlock::HostBlock(const world::BlockShape& shape, const LayerSet& layers, int windows)
    : Block(shape, layers, windows), layout_(world::ResultLayout::Of(shape, layers)) {
  values_.resize(static_cast<std::size_t>(layout_.size) * static_cast<std::size_t>(windows));
}

const HostBlock& HostBlockOf(const Block& block) { return static_cast<const HostBlock&>(block); }

absl::StatusOr<std::vector<CutValues>> ReadHostCuts(std::span<const Cut> cuts) {
  std::vector<CutValues> values;
  for (const Cut& cut : cuts) {
    THALWEG_RETURN_IF_ERROR(CheckCut(cut));
    const HostBlock& host = HostBlockOf(*cut.block);
    CutValues& copied = values.emplace_back();
    const auto window =
        host.values().begin() + static_cast<std::ptrdiff_t>(cut.window) * host.layout().size;
    for (const Layer layer : cut.layers) {
      const auto plane = cut.block->layers().PlaneOf(layer);
      const auto side = static_cast<std::ptrdiff_t>(host.layout().side);
      auto from = window + (plane * side + cut.rect.y) * side + cut.rect.x;
      std::vector<std::int32_t>& to = copied.planes.emplace_back();
      to.reserve(static_cast<std::size_t>(cut.rect.width) *
                 static_cast<std::size_t>(cut.rect.height));
      for (int row = 0; row < cut.rect.height; ++row, from += side) {
        to.insert(to.end(), from, from + cut.rect.width);
      }
    }
    copied.deviations.assign(window + host.layout().deviation_at, window + host.layout().size);
  }
  return values;
}

absl::StatusOr<std::shared_ptr<const Block>> UploadToHost(const world::BlockShape& shape,
                                                          std::span<const std::int32_t> height,
                                                          std::span<const std::int32_t> flow) {
  THALWEG_RETURN_IF_ERROR(CheckUpload(shape, height.size(), flow.size()));
  auto block = std::make_shared<HostBlock>(shape, kUploadedLayers, 1);
  const std::vector<std::int32_t> planes = UploadedPlanes(height, flow);
  std::copy(planes.begin(), planes.end(), block->values().begin());
  return block;
}

}  // namespace thalweg::backend
