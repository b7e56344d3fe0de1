#include "server/backend/host/host_backend.h"

#include <utility>

#include "proto/wire/status_macros.h"
#include "server/backend/host/host_block.h"
#include "server/backend/host/host_run.h"

namespace thalweg::backend {

HostBackend::HostBackend(std::unique_ptr<Executor> executor, std::string device_name,
                         std::string driver, int max_batch)
    : executor_(std::move(executor)),
      pool_(executor_->blocks_at_once()),
      device_name_(std::move(device_name)),
      driver_(std::move(driver)),
      max_batch_(max_batch) {}

absl::StatusOr<std::unique_ptr<PendingRun>> HostBackend::Begin(const world::LevelProgram& program,
                                                               const world::BlockShape& shape,
                                                               std::span<const Job> jobs,
                                                               const RunOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(Placement placement, PlaceJobs(program, shape, jobs));
  return std::make_unique<HostRun>(*executor_, pool_, program, shape, jobs, std::move(placement),
                                   options);
}

absl::StatusOr<std::vector<CutValues>> HostBackend::ReadCuts(std::span<const Cut> cuts) {
  return ReadHostCuts(cuts);
}

absl::StatusOr<std::shared_ptr<const Block>> HostBackend::Upload(
    const world::BlockShape& shape, std::span<const std::int32_t> height,
    std::span<const std::int32_t> flow) {
  return UploadToHost(shape, height, flow);
}

}  // namespace thalweg::backend
