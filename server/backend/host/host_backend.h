// A backend that keeps blocks in host memory and runs kernels on the processor.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "absl/functional/function_ref.h"
#include "server/backend/backend.h"
#include "server/backend/host/buffers.h"
#include "server/backend/host/scratch.h"
#include "server/stages/dispatch.h"

namespace thalweg::backend {

// One block's share of a run.
struct HostBlockState {
  kernels::Buffers buffers;
  int windows = 0;
  bool on_sphere = false;
};

// Used by one thread at a time, except for Execute within ForEachBlock.
class Executor {
 public:
  virtual ~Executor() = default;

  // How many blocks are computed at the same time.
  virtual std::size_t blocks_at_once() const = 0;

  // Calls compute(block) for each block from 0 to count - 1, on one thread or on several.
  virtual void ForEachBlock(std::size_t count, absl::FunctionRef<void(std::size_t)> compute) = 0;

  // Runs dispatches in order over all windows of a block, whose buffers are as large as the
  // recording says. Adds the stages' times if the executor has a clock.
  virtual void Execute(std::span<const stages::Segment> segments, const HostBlockState& state,
                       StageTimes* times) = 0;
};

class HostBackend final : public Backend {
 public:
  // max_batch: how many windows one run takes.
  HostBackend(std::unique_ptr<Executor> executor, std::string device_name, std::string driver,
              int max_batch);

  const std::string& device_name() const override { return device_name_; }
  const std::string& driver() const override { return driver_; }
  int MaxBatch(const world::BlockShape&) const override { return max_batch_; }

  absl::StatusOr<std::unique_ptr<PendingRun>> Begin(const world::LevelProgram& program,
                                                    const world::BlockShape& shape,
                                                    std::span<const Job> jobs,
                                                    const RunOptions& options) override;
  absl::StatusOr<std::vector<CutValues>> ReadCuts(std::span<const Cut> cuts) override;
  absl::StatusOr<std::shared_ptr<const Block>> Upload(const world::BlockShape& shape,
                                                      std::span<const std::int32_t> height,
                                                      std::span<const std::int32_t> flow) override;

 private:
  std::unique_ptr<Executor> executor_;
  ScratchPool pool_;
  std::string device_name_;
  std::string driver_;
  int max_batch_;
};

}  // namespace thalweg::backend
