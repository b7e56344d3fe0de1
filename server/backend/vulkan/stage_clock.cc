#include "server/backend/vulkan/stage_clock.h"

#include <limits>
#include <string>

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

}  // namespace thalweg::backend::vulkan
