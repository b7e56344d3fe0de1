// Terrain directly from a backend, without a scheduler: blocks are computed from level 0 down as
// they are needed, and kept until the chain is destroyed. For self-tests, parity tests and
// benchmarks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/world/block.h"
#include "server/world/level_program.h"

namespace thalweg::backend {

// A rectangle of a level's vertices on a face.
struct Vertices {
  std::int64_t x = 0;
  std::int64_t y = 0;
  int width = 0;
  int height = 0;
  int face = 0;
};

// Not thread-safe. The backend must outlive it. Errors are the backend's.
class Chain {
 public:
  Chain(Backend& backend, std::vector<world::LevelProgram> programs, int block_cells,
        const RunOptions& options = {});

  const world::BlockShape& shape(int level) const {
    return shapes_[static_cast<std::size_t>(level)];
  }

  // The block of this key. It is computed unless it is kept.
  absl::StatusOr<std::shared_ptr<const backend::Block>> Block(const world::BlockKey& key);

  // Computes blocks of one level in one batch, even if they are kept.
  absl::Status ComputeTogether(const std::vector<world::BlockKey>& keys);

  // The values of a layer over a rectangle, row-major.
  absl::StatusOr<std::vector<std::int32_t>> Read(int level, const Vertices& vertices, Layer layer);

 private:
  const world::FaceLayout& LayoutOf(int level) const {
    return *programs_[static_cast<std::size_t>(level)].surface;
  }
  absl::StatusOr<Job> JobOf(const world::BlockKey& key);

  Backend& backend_;
  std::vector<world::LevelProgram> programs_;
  int block_cells_;
  std::vector<world::BlockShape> shapes_;
  RunOptions options_;
  std::map<world::BlockKey, std::shared_ptr<const backend::Block>> blocks_;
};

}  // namespace thalweg::backend
