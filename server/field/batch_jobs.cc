#include "server/field/batch_jobs.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"

namespace thalweg::field {

std::vector<backend::Job> JobsOf(const Batch& batch) {
  std::vector<backend::Job> jobs;
  const std::int64_t cells = batch.plan->BlockCells(batch.level);
  for (std::size_t i = 0; i < batch.blocks.size(); i += batch.BlocksAJob()) {
    const world::BlockKey& key = batch.blocks[i];
    backend::Job job;
    job.face = key.face;
    job.x = key.x * cells;
    job.y = key.y * cells;
    if (key.level > 0) {
      const world::BlockKey parent = batch.plan->ParentOf(key);
      job.parent = batch.parents[i];
      // A parent that was computed with its siblings begins where the first of them does.
      const std::int64_t parent_cells = batch.plan->BlockCells(parent.level);
      const std::int64_t blocks_in_row = job.parent->shape().block_cells / parent_cells;
      job.parent_x = (parent.x & ~(blocks_in_row - 1)) * parent_cells;
      job.parent_y = (parent.y & ~(blocks_in_row - 1)) * parent_cells;
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

absl::Status Annotated(const absl::Status& status, const Batch& batch) {
  return absl::Status(
      status.code(),
      absl::StrCat("compute ", batch.blocks.size(), " blocks of level ", batch.level, " of world '",
                   batch.plan->world->name(), "': ", status.message()));
}

}  // namespace thalweg::field
