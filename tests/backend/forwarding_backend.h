// A backend that passes every call on to another one. Tests and benchmarks override the calls that
// they want to change.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "server/backend/backend.h"

namespace thalweg::backend {

class ForwardingBackend : public Backend {
 public:
  // `inner` must outlive it.
  explicit ForwardingBackend(Backend& inner) : inner_(inner) {}

  const std::string& device_name() const override { return inner_.device_name(); }
  const std::string& driver() const override { return inner_.driver(); }
  int MaxBatch(const world::BlockShape& shape) const override { return inner_.MaxBatch(shape); }
  int MaxSubmitted() const override { return inner_.MaxSubmitted(); }
  absl::StatusOr<std::unique_ptr<PendingRun>> Begin(const world::LevelProgram& program,
                                                    const world::BlockShape& shape,
                                                    std::span<const Job> jobs,
                                                    const RunOptions& options) override {
    return inner_.Begin(program, shape, jobs, options);
  }
  absl::StatusOr<std::vector<CutValues>> ReadCuts(std::span<const Cut> cuts) override {
    return inner_.ReadCuts(cuts);
  }
  absl::StatusOr<std::shared_ptr<const Block>> Upload(const world::BlockShape& shape,
                                                      std::span<const std::int32_t> height,
                                                      std::span<const std::int32_t> flow) override {
    return inner_.Upload(shape, height, flow);
  }

 private:
  Backend& inner_;
};

}  // namespace thalweg::backend
