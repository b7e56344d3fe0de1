#include "server/backend/vulkan/vulkan_run.h"

#include <limits>
#include <string>

#include "proto/wire/status_macros.h"
#include "server/backend/vulkan/compute_queue.h"

namespace thalweg::backend::vulkan {

void StageClock::Reset(const vk::raii::CommandBuffer& commands, std::size_t stages) {
  running_ = device_.traits().timestamp_bits > 0;
  if (!running_) return;
  const auto marks = static_cast<std::uint32_t>(stages + 1);
  if (marks > capacity_) {
    pool_.emplace(device_.handle(), vk::QueryPoolCreateInfo({}, vk::QueryType::eTimestamp, marks));
    capacity_ = marks;
  }
  commands.resetQueryPool(**pool_, 0, marks);
  marks_ = 0;
}

void StageClock::Mark(const vk::raii::CommandBuffer& commands) {
  if (!running_) return;
  commands.writeTimestamp(vk::PipelineStageFlagBits::eBottomOfPipe, **pool_, marks_++);
}

void StageClock::Add(std::span<const Segment> stages, StageTimes& times) const {
  if (!running_ || marks_ != stages.size() + 1) return;
  const auto [result, ticks] =
      pool_->getResults<std::uint64_t>(0, marks_, marks_ * sizeof(std::uint64_t),
                                       sizeof(std::uint64_t), vk::QueryResultFlagBits::e64);
  if (result != vk::Result::eSuccess) return;
  const std::uint32_t bits = device_.traits().timestamp_bits;
  const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >>
                             (std::numeric_limits<std::uint64_t>::digits - bits);
  const double tick_seconds =
      static_cast<double>(device_.properties().limits.timestampPeriod) * 1e-9;
  for (std::size_t n = 0; n < stages.size(); ++n) {
    DeviceTime& time = times[std::string(stages[n].stage)];
    if (!stages[n].continues) ++time.times;
    time.seconds += static_cast<double>((ticks[n + 1] - ticks[n]) & mask) * tick_seconds;
  }
}

VulkanRun::VulkanRun(std::shared_ptr<ComputeQueue> queue, std::unique_ptr<Scratch> scratch,
                     RunPlan plan)
    : queue_(std::move(queue)), scratch_(std::move(scratch)), plan_(std::move(plan)) {}

VulkanRun::~VulkanRun() {
  try {
    while (!under_way_.empty()) Await();
  } catch (const vk::SystemError&) {
    // A lost device has nothing under way.
  }
  queue_->GiveBack(std::move(scratch_));
}

absl::Status VulkanRun::Submit() {
  queue_->CheckDevice();
  std::unique_ptr<Submission> submission = queue_->TakeSubmission();
  const std::vector<Segment>& part = plan_.parts[submitted_];
  const vk::raii::CommandBuffer& start = submission->commands.Begin();
  // Waits for earlier submissions, which wrote the values that this part reads.
  Barrier(start, Work::kAny, Work::kAny);
  if (submitted_ == 0) RecordStart(start);
  submission->clock.Reset(start, part.size());
  for (const Segment& segment : part) {
    THALWEG_RETURN_IF_ERROR(RecordSegment(*submission, segment));
  }
  const vk::raii::CommandBuffer& end = submission->commands.Begin();
  submission->clock.Mark(end);
  if (parts_left() == 1) THALWEG_RETURN_IF_ERROR(RecordEnd(end));
  submission->commands.Submit();
  under_way_.push_back(std::move(submission));
  ++submitted_;
  return absl::OkStatus();
}

void VulkanRun::Await() {
  std::unique_ptr<Submission> submission = std::move(under_way_.front());
  under_way_.pop_front();
  const std::vector<Segment>& part = plan_.parts[awaited_++];
  submission->commands.Await();
  if (plan_.stage_times != nullptr) submission->clock.Add(part, *plan_.stage_times);
  queue_->GiveBack(std::move(submission));
  if (awaited_ == plan_.parts.size()) queue_->pipelines().Save();
}

void VulkanRun::RecordStart(const vk::raii::CommandBuffer& commands) const {
  const vk::Buffer from = scratch_->buffer(Binding::kParent).handle();
  for (std::size_t i = 0; i < plan_.parents.size(); ++i) {
    const VulkanBlock& parent = *plan_.parents[i];
    const std::size_t window_bytes =
        static_cast<std::size_t>(world::ResultLayout::Of(parent.shape(), parent.layers()).size) *
        kWordBytes;
    for (std::size_t w = plan_.placement.blocks[i]; w < plan_.placement.blocks[i + 1]; ++w) {
      const auto of_parent = static_cast<std::size_t>(plan_.placement.parent_windows[w]);
      commands.copyBuffer(parent.memory().buffer(), from,
                          vk::BufferCopy(parent.memory().offset() + of_parent * window_bytes,
                                         w * plan_.inherited_bytes, plan_.inherited_bytes));
    }
  }
  // Deviations are maxima, so they start from zero.
  const auto size = static_cast<std::size_t>(plan_.layout.size);
  const auto deviation_at = static_cast<std::size_t>(plan_.layout.deviation_at);
  const vk::Buffer result = scratch_->buffer(Binding::kResult).handle();
  for (std::size_t i = 0; i < plan_.placement.windows.size(); ++i) {
    commands.fillBuffer(result, (i * size + deviation_at) * kWordBytes,
                        (size - deviation_at) * kWordBytes, 0);
  }
  Barrier(commands, Work::kTransfer, Work::kDispatch);
}

absl::Status VulkanRun::RecordSegment(Submission& submission, const Segment& segment) const {
  Pipelines& pipelines = queue_->pipelines();
  const vk::raii::CommandBuffer& commands = submission.commands.Begin();
  submission.clock.Mark(commands);
  commands.bindDescriptorSets(vk::PipelineBindPoint::eCompute, pipelines.layout(), 0,
                              scratch_->descriptors(), {});
  const Pipeline* bound = nullptr;
  for (const Dispatch& dispatch : segment.dispatches) {
    THALWEG_ASSIGN_OR_RETURN(const Pipeline* const pipeline,
                             pipelines.Get(dispatch.kernel, plan_.on_sphere));
    if (pipeline != bound) {
      commands.bindPipeline(vk::PipelineBindPoint::eCompute, *pipeline->handle);
    }
    bound = pipeline;
    const std::vector<std::byte> constants = PushConstants(dispatch);
    commands.pushConstants<std::byte>(pipelines.layout(), vk::ShaderStageFlagBits::eCompute, 0,
                                      constants);
    const int group_width =
        dispatch.tile_width > 0 ? dispatch.tile_width : pipeline->workgroup_width;
    const int groups = (dispatch.pass.width + group_width - 1) / group_width;
    commands.dispatch(static_cast<std::uint32_t>(groups), static_cast<std::uint32_t>(dispatch.rows),
                      static_cast<std::uint32_t>(plan_.placement.windows.size()));
    Barrier(commands, Work::kDispatch, Work::kDispatch);
  }
  return absl::OkStatus();
}

absl::Status VulkanRun::RecordEnd(const vk::raii::CommandBuffer& commands) {
  const auto bytes = static_cast<std::size_t>(plan_.layout.size) * kWordBytes;
  const vk::Buffer result = scratch_->buffer(Binding::kResult).handle();
  Barrier(commands, Work::kDispatch, Work::kTransfer);
  for (std::size_t i = 0; i < plan_.jobs.size(); ++i) {
    const std::size_t windows = plan_.placement.WindowsOf(i);
    THALWEG_ASSIGN_OR_RETURN(BlockMemory memory, queue_->pool()->Take(windows * bytes));
    commands.copyBuffer(
        result, memory.buffer(),
        vk::BufferCopy(plan_.placement.blocks[i] * bytes, memory.offset(), windows * bytes));
    results_.push_back(std::make_shared<const VulkanBlock>(
        plan_.shape, plan_.kept, static_cast<int>(windows), std::move(memory)));
  }
  Barrier(commands, Work::kTransfer, Work::kHostRead);
  return absl::OkStatus();
}

}  // namespace thalweg::backend::vulkan
