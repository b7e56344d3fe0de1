// A device's queue, with all objects that its runs and transfers need, and that are lost with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/vulkan/block_pool.h"
#include "server/backend/vulkan/buffer.h"
#include "server/backend/vulkan/commands.h"
#include "server/backend/vulkan/device.h"
#include "server/backend/vulkan/pipelines.h"
#include "server/backend/vulkan/vulkan_run.h"

namespace thalweg::backend::vulkan {

// A copy from a block to `values`: `rows` rows of `width` values. The first row begins at the
// block's value `first`, and each next row `stride` values later.
struct BlockCopy {
  const VulkanBlock* block = nullptr;
  std::size_t first = 0;
  std::size_t stride = 0;
  std::size_t width = 0;
  std::size_t rows = 0;
  std::span<std::int32_t> values;
};

// Used by one thread at a time. Calls throw Vulkan's exceptions; after a vk::DeviceLostError only
// the destructor may be called.
class ComputeQueue : public std::enable_shared_from_this<ComputeQueue> {
 public:
  // `cache_path`: see Pipelines::Create. `scratch_budget_bytes`: 0 for the device's default.
  static absl::StatusOr<std::shared_ptr<ComputeQueue>> Create(std::shared_ptr<const Device> device,
                                                              std::string cache_path,
                                                              std::size_t scratch_budget_bytes);
  ~ComputeQueue();

  // See Backend::MaxBatch.
  int MaxBatch(const world::BlockShape& shape) const;

  // The block as a VulkanBlock. FAILED_PRECONDITION if its device was lost, INVALID_ARGUMENT if it
  // is another backend's.
  absl::StatusOr<const VulkanBlock*> Own(const Block& block) const;

  // Begins a run of placed jobs. The jobs hold their parents, which must be of this queue.
  // RESOURCE_EXHAUSTED if the run needs more scratch memory than the budget.
  absl::StatusOr<std::unique_ptr<VulkanRun>> Begin(const world::LevelProgram& program,
                                                   const world::BlockShape& shape,
                                                   std::span<const Job> jobs, Placement placement,
                                                   std::span<const VulkanBlock* const> parents,
                                                   const RunOptions& options);

  // Does all copies in one transfer, or without one if the CPU can read the blocks.
  absl::Status Read(std::span<const BlockCopy> copies);

  // Makes a block of these values, which have the layout of ResultLayout.
  absl::StatusOr<std::shared_ptr<const Block>> Upload(const world::BlockShape& shape,
                                                      const LayerSet& layers,
                                                      std::span<const std::int32_t> values);

  // The next submission finds that the device is lost. For tests.
  void LoseDevice() { lost_ = true; }

  // Runs borrow these objects and give them back.
  std::unique_ptr<Submission> TakeSubmission();
  void GiveBack(std::unique_ptr<Submission> submission);
  void GiveBack(std::unique_ptr<Scratch> scratch);

  Pipelines& pipelines() { return *pipelines_; }
  const std::shared_ptr<BlockPool>& pool() const { return pool_; }
  // Called before each submission: throws after LoseDevice.
  void CheckDevice() const;

 private:
  ComputeQueue(std::shared_ptr<const Device> device, std::unique_ptr<Pipelines> pipelines,
               std::size_t scratch_budget_bytes);

  std::unique_ptr<Scratch> TakeScratch();
  // Submits a transfer and waits for it.
  void Transfer();
  // The staging buffer, with at least this number of bytes.
  absl::StatusOr<const Buffer*> Staging(std::unique_ptr<Buffer>& buffer, std::size_t bytes,
                                        Access access);

  std::shared_ptr<const Device> device_;
  std::size_t scratch_budget_bytes_;
  std::size_t batch_budget_bytes_;
  std::shared_ptr<BlockPool> pool_;
  std::unique_ptr<Pipelines> pipelines_;
  // Scratch memory and submissions that no run uses.
  std::vector<std::unique_ptr<Scratch>> scratches_;
  std::vector<std::unique_ptr<Submission>> submissions_;
  Commands transfer_;
  std::unique_ptr<Buffer> readback_;
  std::unique_ptr<Buffer> upload_;
  bool lost_ = false;
};

}  // namespace thalweg::backend::vulkan
