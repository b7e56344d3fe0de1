// How a backend in host memory runs kernels.
#pragma once

#include <cstddef>
#include <span>

#include "absl/functional/function_ref.h"
#include "server/backend/backend.h"
#include "server/backend/host/buffers.h"
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

}  // namespace thalweg::backend
