// How a backend in host memory runs kernels.
#pragma once

#include <cstddef>
#include <span>

#include "absl/functional/function_ref.h"
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

  // Calls compute(block) for each block from 0 to count - 1, on one thread or on several.
  virtual void ForEachBlock(std::size_t count, absl::FunctionRef<void(std::size_t)> compute) = 0;

  // Runs a dispatch over all windows of a block. The buffers must be as large as the recording
  // says.
  virtual void Execute(const stages::Dispatch& dispatch, const HostBlockState& state) = 0;
};

}  // namespace thalweg::backend
