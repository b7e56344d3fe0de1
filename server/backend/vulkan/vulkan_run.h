// A run on a device: its parts are recorded and submitted one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/placement.h"
#include "server/backend/vulkan/block_pool.h"
#include "server/backend/vulkan/buffer.h"
#include "server/backend/vulkan/commands.h"
#include "server/backend/vulkan/device.h"

namespace thalweg::backend::vulkan {

// The time of each stage of a run, by the device's own clock. Used by one thread at a time. The
// device must outlive it. Does nothing if the queue has no clock.
class StageClock {
 public:
  explicit StageClock(const Device& device) : device_(device) {}

  // Begins a run with this number of stages.
  void Reset(const vk::raii::CommandBuffer& commands, std::size_t stages);
  // Marks a time: called before each stage and after the last one. Barriers separate the stages.
  void Mark(const vk::raii::CommandBuffer& commands);
  // Adds the stages' times. Called when the run is done.
  void Add(std::span<const Segment> stages, StageTimes& times) const;

 private:
  const Device& device_;
  std::optional<vk::raii::QueryPool> pool_;
  std::uint32_t capacity_ = 0;
  std::uint32_t marks_ = 0;
  bool running_ = false;
};

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
