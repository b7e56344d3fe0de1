#include "server/backend/chain.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::backend {

Chain::Chain(Backend& backend, std::vector<world::LevelProgram> programs, int block_cells,
             const RunOptions& options)
    : backend_(backend),
      programs_(std::move(programs)),
      block_cells_(block_cells),
      shapes_(world::BlockShapes(programs_, block_cells)),
      options_(options) {}

absl::StatusOr<Job> Chain::JobOf(const world::BlockKey& key) {
  const std::int64_t cells = shape(key.level).block_cells;
  Job job{key.face, key.x * cells, key.y * cells, nullptr, 0, 0};
  if (key.level > 0) {
    const world::BlockKey parent = world::ParentOf(LayoutOf(key.level), key, block_cells_);
    THALWEG_ASSIGN_OR_RETURN(job.parent, Block(parent));
    const std::int64_t parent_cells = shape(parent.level).block_cells;
    job.parent_x = parent.x * parent_cells;
    job.parent_y = parent.y * parent_cells;
  }
  return job;
}

absl::Status Chain::ComputeTogether(const std::vector<world::BlockKey>& keys) {
  const int level = keys.front().level;
  std::vector<Job> jobs;
  for (const world::BlockKey& key : keys) {
    THALWEG_ASSIGN_OR_RETURN(jobs.emplace_back(), JobOf(key));
  }
  THALWEG_ASSIGN_OR_RETURN(
      const auto results,
      backend_.Run(programs_[static_cast<std::size_t>(level)], shape(level), jobs, options_));
  for (std::size_t i = 0; i < keys.size(); ++i) blocks_[keys[i]] = results[i];
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const backend::Block>> Chain::Block(const world::BlockKey& key) {
  if (!blocks_.contains(key)) THALWEG_RETURN_IF_ERROR(ComputeTogether({key}));
  return blocks_[key];
}

absl::StatusOr<std::vector<std::int32_t>> Chain::Read(int level, const Vertices& vertices,
                                                      Layer layer) {
  const std::int64_t cells = shape(level).block_cells;
  const int apron = shape(level).apron;
  const std::int64_t x_end = vertices.x + vertices.width;
  const std::int64_t y_end = vertices.y + vertices.height;
  std::vector<std::int32_t> values(static_cast<std::size_t>(vertices.width) *
                                   static_cast<std::size_t>(vertices.height));
  std::vector<std::int32_t> part;
  const int window = world::WindowOf(LayoutOf(level), level, vertices.face);
  // The last block of a planet's face also has the vertices on the face's edge.
  const int bits = LayoutOf(level).FaceBits(level);
  const std::int64_t last =
      bits == 0 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) / cells - 1;
  const auto block_of = [&](std::int64_t vertex) {
    return std::min(wire::FloorDivide(vertex, cells), last);
  };
  const auto end_of = [&](std::int64_t block, std::int64_t end) {
    return block == last ? end : std::min(end, (block + 1) * cells);
  };
  for (std::int64_t by = block_of(vertices.y); by <= block_of(y_end - 1); ++by) {
    for (std::int64_t bx = block_of(vertices.x); bx <= block_of(x_end - 1); ++bx) {
      THALWEG_ASSIGN_OR_RETURN(
          const auto block,
          Block({world::BlockFace(LayoutOf(level), level, vertices.face), level, bx, by}));
      const std::int64_t x0 = std::max(vertices.x, bx * cells);
      const std::int64_t y0 = std::max(vertices.y, by * cells);
      const Rect rect{
          static_cast<int>(x0 - bx * cells) + apron, static_cast<int>(y0 - by * cells) + apron,
          static_cast<int>(end_of(bx, x_end) - x0), static_cast<int>(end_of(by, y_end) - y0)};
      part.resize(static_cast<std::size_t>(rect.width) * static_cast<std::size_t>(rect.height));
      THALWEG_RETURN_IF_ERROR(backend_.Read(*block, layer, rect, part, window));
      for (int row = 0; row < rect.height; ++row) {
        const std::int64_t to = (y0 - vertices.y + row) * vertices.width + (x0 - vertices.x);
        std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(row) * rect.width, rect.width,
                    values.begin() + to);
      }
    }
  }
  return values;
}

}  // namespace thalweg::backend
