// A backend that keeps blocks in host memory and runs kernels on the processor.
#pragma once

#include <memory>
#include <string>

#include "server/backend/backend.h"
#include "server/backend/host/executor.h"
#include "server/backend/host/scratch.h"

namespace thalweg::backend {

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
