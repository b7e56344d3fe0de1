// A run on a device: its parts are recorded and submitted one after the other.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/parts.h"
#include "server/backend/placement.h"
#include "server/backend/vulkan/block_pool.h"
#include "server/backend/vulkan/commands.h"
#include "server/backend/vulkan/device.h"
#include "server/backend/vulkan/scratch.h"
#include "server/backend/vulkan/stage_clock.h"

namespace thalweg::backend::vulkan {

class ComputeQueue;

// The command buffers and the clock of one part.
struct Submission {
  explicit Submission(const Device& device) : commands(device), clock(device) {}

  Commands commands;
  StageClock clock;
};

// The data of a run.
struct RunPlan {
  std::vector<std::vector<Segment>> parts;
  // Jobs hold their parents, which `parents` points to.
  std::vector<Job> jobs;
  std::vector<const VulkanBlock*> parents;
  Placement placement;
  bool on_sphere = false;
  // The bytes that each window of a parent passes on.
  std::size_t inherited_bytes = 0;
  world::BlockShape shape;
  LayerSet kept;
  world::ResultLayout layout;
  // May be null.
  StageTimes* stage_times = nullptr;
};

// A run on a queue, used by the queue's thread. All calls except the destructor may throw Vulkan's
// exceptions. The submissions of a queue's runs are executed in order.
class VulkanRun {
 public:
  // The scratch memory must hold the jobs and the program already.
  VulkanRun(std::shared_ptr<ComputeQueue> queue, std::unique_ptr<Scratch> scratch, RunPlan plan);
  // Waits for submitted parts.
  ~VulkanRun();

  VulkanRun(const VulkanRun&) = delete;
  VulkanRun& operator=(const VulkanRun&) = delete;

  // See PendingRun.
  int parts_left() const { return static_cast<int>(plan_.parts.size() - submitted_); }
  absl::Status Submit();
  void Await();
  std::vector<std::shared_ptr<const Block>> Take() { return std::move(results_); }

 private:
  void RecordStart(const vk::raii::CommandBuffer& commands) const;
  absl::Status RecordSegment(Submission& submission, const Segment& segment) const;
  absl::Status RecordEnd(const vk::raii::CommandBuffer& commands);

  const std::shared_ptr<ComputeQueue> queue_;
  std::unique_ptr<Scratch> scratch_;
  const RunPlan plan_;
  std::size_t submitted_ = 0;
  std::size_t awaited_ = 0;
  std::deque<std::unique_ptr<Submission>> under_way_;
  std::vector<std::shared_ptr<const Block>> results_;
};

}  // namespace thalweg::backend::vulkan
