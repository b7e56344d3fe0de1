// The time of each stage of a run, by the device's own clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vulkan/vulkan_raii.hpp>

#include "server/backend/backend.h"
#include "server/backend/parts.h"
#include "server/backend/vulkan/device.h"

namespace thalweg::backend::vulkan {

// Used by one thread at a time. The device must outlive it. Does nothing if the queue has no clock.
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

}  // namespace thalweg::backend::vulkan
