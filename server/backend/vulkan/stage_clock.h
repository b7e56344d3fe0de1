// The time of each stage of a run, by the device's own clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vulkan/vulkan_raii.hpp>

#include "server/backend/backend.h"
#include "server/backend/recording.h"
#include "server/backend/vulkan/device.h"

namespace thalweg::backend::vulkan {

// Used by one thread at a time. The device outlives it. Does nothing where the queue has no clock.
class StageClock {
 public:
  explicit StageClock(const Device& device) : device_(device) {}

  // Begins a run of a number of stages.
  void Reset(const vk::raii::CommandBuffer& commands, std::size_t stages);
  // Between stages, which barriers keep apart: before each, and once after the last.
  void Mark(const vk::raii::CommandBuffer& commands);
  // Adds the stages' times, once the run is done.
  void Add(std::span<const Segment> stages, StageTimes& times) const;

 private:
  const Device& device_;
  std::optional<vk::raii::QueryPool> pool_;
  std::uint32_t capacity_ = 0;
  std::uint32_t marks_ = 0;
  bool running_ = false;
};

}  // namespace thalweg::backend::vulkan
