// The reference: the stages compiled as C++, one thread for each block. It needs no device, and its
// results are right by definition.
#pragma once

#include <memory>

#include "server/backend/backend.h"

namespace thalweg::backend {

class ReferenceBackend final : public Backend {
 public:
  // threads: how many blocks are computed at once; 0: one for each core.
  static std::unique_ptr<ReferenceBackend> Create(int threads);

  const std::string& device_name() const override { return device_name_; }
  const std::string& driver() const override { return driver_; }
  int MaxBatch(const world::BlockShape&) const override { return 4 * threads_; }

  absl::StatusOr<std::unique_ptr<PendingRun>> Begin(const world::LevelProgram& program,
                                                    const world::BlockShape& shape,
                                                    std::span<const Job> jobs,
                                                    const RunOptions& options) override;
  absl::StatusOr<std::vector<CutValues>> ReadCuts(std::span<const Cut> cuts) override;
  absl::StatusOr<std::shared_ptr<const Block>> Upload(const world::BlockShape& shape,
                                                      std::span<const std::int32_t> height,
                                                      std::span<const std::int32_t> flow) override;

 private:
  explicit ReferenceBackend(int threads);

  int threads_;
  std::string device_name_ = "reference";
  std::string driver_;
};

}  // namespace thalweg::backend
