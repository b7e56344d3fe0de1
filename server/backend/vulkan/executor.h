// Executes recordings on one device, and moves blocks in and out of it: everything that is lost
// with a device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/recording.h"
#include "server/backend/vulkan/block_pool.h"
#include "server/backend/vulkan/commands.h"
#include "server/backend/vulkan/device.h"
#include "server/backend/vulkan/pipelines.h"
#include "server/backend/vulkan/scratch.h"
#include "server/backend/vulkan/stage_clock.h"

namespace thalweg::backend::vulkan {

// Used by one thread at a time. Calls throw what Vulkan throws; after a vk::DeviceLostError nothing
// but the destructor may be called.
class Executor {
 public:
  // `cache_path`: see Pipelines::Create. `scratch_budget_bytes`: 0 for what suits the device.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(std::shared_ptr<const Device> device,
                                                          std::string cache_path,
                                                          std::size_t scratch_budget_bytes);
  ~Executor();

  // As Backend has it.
  int MaxBatch(const world::BlockShape& shape) const;

  // The block as one of this executor. FAILED_PRECONDITION if its device was lost, INVALID_ARGUMENT
  // if it is another backend's.
  absl::StatusOr<const VulkanBlock*> Own(const Block& block) const;

  // As Backend has them, for jobs that were placed and parents that are its own.
  absl::StatusOr<std::vector<std::shared_ptr<const Block>>> Run(
      const world::LevelProgram& program, const world::BlockShape& shape,
      std::span<const kernels::Job> jobs, std::span<const VulkanBlock* const> parents,
      const RunOptions& options);

  // Copies `rows` rows of `width` values to `values`; the first begins at value `first` of the
  // block, and each next one `stride` values after.
  absl::Status Read(const VulkanBlock& block, std::size_t first, std::size_t stride,
                    std::size_t width, std::size_t rows, std::span<std::int32_t> values);

  // A block of these values, laid out as ResultLayout says.
  absl::StatusOr<std::shared_ptr<const Block>> Upload(const world::BlockShape& shape,
                                                      const LayerSet& layers,
                                                      std::span<const std::int32_t> values);

  // Whether a run stands between two of its parts.
  bool IsBetween() const { return depth_ > 0; }

  // The next submission finds the device lost.
  void LoseDevice() { lost_ = true; }

 private:
  Executor(std::shared_ptr<const Device> device, std::unique_ptr<Pipelines> pipelines,
           std::size_t scratch_budget_bytes);

  // What one run works with. A second run, between the parts of the first, has its own.
  struct Lane {
    Lane(const Device& device, const Pipelines& pipelines)
        : scratch(device, pipelines), commands(device), clock(device) {}

    Scratch scratch;
    Commands commands;
    StageClock clock;
  };

  Lane& lane() { return *lanes_[depth_]; }
  // Lets others come in between.
  void Pause(const RunOptions& options);
  void BeginRun(const ResultLayout& layout, std::span<const kernels::Job> jobs,
                std::span<const kernels::BaseInstruction> base,
                std::span<const VulkanBlock* const> parents, std::size_t inherited);
  absl::Status RecordSegment(const Segment& segment, int blocks);
  absl::StatusOr<std::vector<std::shared_ptr<const Block>>> EndRun(const world::BlockShape& shape,
                                                                   const LayerSet& layers,
                                                                   std::size_t blocks);
  void Submit();
  // The staging buffer, of at least so many bytes.
  absl::StatusOr<const Buffer*> Staging(std::unique_ptr<Buffer>& buffer, std::size_t bytes,
                                        Access access);

  std::shared_ptr<const Device> device_;
  std::size_t scratch_budget_bytes_;
  std::size_t batch_budget_bytes_;
  std::shared_ptr<BlockPool> pool_;
  std::unique_ptr<Pipelines> pipelines_;
  // The first alone is there from the beginning.
  std::array<std::unique_ptr<Lane>, 2> lanes_;
  // Runs whose parts are being waited between.
  std::size_t depth_ = 0;
  std::unique_ptr<Buffer> readback_;
  std::unique_ptr<Buffer> upload_;
  bool lost_ = false;
};

}  // namespace thalweg::backend::vulkan
