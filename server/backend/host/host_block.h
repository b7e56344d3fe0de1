// A block in host memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"

namespace thalweg::backend {

class HostBlock final : public Block {
 public:
  HostBlock(const world::BlockShape& shape, const LayerSet& layers, int windows);

  const world::ResultLayout& layout() const { return layout_; }
  std::vector<std::int32_t>& values() { return values_; }
  const std::vector<std::int32_t>& values() const { return values_; }

 private:
  world::ResultLayout layout_;
  std::vector<std::int32_t> values_;
};

// The block must be one of a backend in host memory.
const HostBlock& HostBlockOf(const Block& block);

// Backend::ReadCuts and Backend::Upload.
absl::StatusOr<std::vector<CutValues>> ReadHostCuts(std::span<const Cut> cuts);
absl::StatusOr<std::shared_ptr<const Block>> UploadToHost(const world::BlockShape& shape,
                                                          std::span<const std::int32_t> height,
                                                          std::span<const std::int32_t> flow);

}  // namespace thalweg::backend
