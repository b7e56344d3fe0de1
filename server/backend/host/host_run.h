// A run on a backend in host memory.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "server/backend/backend.h"
#include "server/backend/host/executor.h"
#include "server/backend/host/host_block.h"
#include "server/backend/host/scratch.h"
#include "server/backend/parts.h"
#include "server/backend/placement.h"

namespace thalweg::backend {

// Submit computes the part before it returns. As many blocks as the executor computes at once go
// through all their parts before the next ones begin. Executor and pool must outlive the run.
class HostRun final : public PendingRun {
 public:
  HostRun(Executor& executor, ScratchPool& pool, const world::LevelProgram& program,
          const world::BlockShape& shape, std::span<const Job> jobs, Placement placement,
          const RunOptions& options);

  int parts_left() const override { return static_cast<int>(part_count_ - submitted_); }
  absl::Status Submit() override;
  absl::Status Await() override { return absl::OkStatus(); }
  std::vector<std::shared_ptr<const Block>> Take() override {
    return {results_.begin(), results_.end()};
  }

 private:
  using Parts = std::vector<std::vector<Segment>>;

  // The values that the block's windows start from, one window after the other. They are copied
  // unless there is only one.
  const int* ParentOf(std::size_t block, std::vector<int>& copied) const;
  void Begin(std::size_t block);
  void Compute(std::size_t block, std::size_t part);

  Executor& executor_;
  ScratchPool& pool_;
  const world::LevelProgram& program_;
  const world::BlockShape shape_;
  const LayerSet kept_;
  StageTimes* const stage_times_;
  const std::vector<Job> jobs_;
  const Placement placement_;
  // The parts of the recording, by the number of a block's windows.
  std::map<int, Parts> recorded_;
  // How many parts each group of blocks has, and all groups together.
  std::size_t group_parts_ = 0;
  std::size_t part_count_ = 0;
  std::size_t submitted_ = 0;
  // The state of each block between its parts.
  std::vector<std::unique_ptr<Scratch>> scratches_;
  // The values that each block inherits.
  std::vector<const int*> parents_;
  std::vector<std::shared_ptr<HostBlock>> results_;
};

}  // namespace thalweg::backend
