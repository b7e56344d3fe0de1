// A backend that keeps blocks in host memory and runs kernels on the processor.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "server/backend/backend.h"
#include "server/backend/host/buffers.h"
#include "server/stages/dispatch.h"

namespace thalweg::backend {

// The memory behind kernels::Buffers that belongs to one block at a time. It begins with whatever
// the block before left, as a device's does.
class Scratch {
 public:
  // Makes room for windows of side x side vertices.
  void Resize(std::size_t side, std::size_t windows);

  // The real land of the block, and the values that its windows inherit, unless they are read where
  // they are. To be filled in first.
  std::vector<int>& elevation() { return elevation_; }
  std::vector<int>& parent() { return parent_; }

  // The buffers; those of the world and of the result are left out.
  kernels::Buffers buffers();

 private:
#define THALWEG_STATE(number, Name, name, Type, count) \
  std::vector<std::remove_pointer_t<decltype(kernels::Buffers::name)>> name##_;
#include "shaders/stages/bindings.inc"
  // Guarded state has a row and a vertex more, before and after.
  std::size_t guard_ = 0;
  std::vector<int> elevation_;
  std::vector<int> parent_;
};

// Keeps scratches that are not in use: fresh memory costs a tenth of a block's time. Thread-safe.
class ScratchPool {
 public:
  explicit ScratchPool(std::size_t kept) : kept_(kept) {}

  std::unique_ptr<Scratch> Take(std::size_t side, std::size_t windows);
  void Return(std::unique_ptr<Scratch> scratch);

 private:
  const std::size_t kept_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

// One block's share of a run: the state of its windows while they are computed.
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
