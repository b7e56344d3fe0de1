// Device memory for the windows under way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/status.h"
#include "server/backend/placement.h"
#include "server/backend/vulkan/buffer.h"
#include "server/backend/vulkan/pipelines.h"

namespace thalweg::backend::vulkan {

// The storage buffers of shaders/stages/bindings.glsl, by binding.
enum class Binding : std::uint32_t {
  kJobs,
  kProgram,
  kParent,
  kHeight,
  kStart,
  kFraction,
  kFlow,
  kDischarge,
  kRate,
  kLayers,
  kMovers,
  kResult,
  kSums,
  kElevation,
};
static_assert(static_cast<std::uint32_t>(Binding::kElevation) + 1 == kBindings);

// Buffers hold values of 32 bits.
inline constexpr std::size_t kWordBytes = sizeof(std::int32_t);

// The sizes that a batch needs.
struct ScratchNeed {
  std::size_t windows = 0;
  std::size_t window_side = 0;
  // For each window: the values that a parent passes to its child, and the values of a result.
  std::size_t parent_values = 0;
  std::size_t result_values = 0;
  std::size_t instructions = 0;
  // Values of real land for each window.
  std::size_t elevation_values = 0;

  // The bytes of one binding's buffer.
  std::size_t BytesOf(Binding binding) const;
  // The bytes of all buffers, and of the largest one.
  std::size_t TotalBytes() const;
  std::size_t LargestBytes() const;
};

// One buffer for each binding, grown to the largest need so far, and the descriptor set that binds
// them. Used by one thread at a time, while the device is idle. The device must outlive it.
class Scratch {
 public:
  Scratch(const Device& device, const Pipelines& pipelines);

  // Grows the buffers. RESOURCE_EXHAUSTED if the device lacks memory, or can't bind so much.
  absl::Status Reserve(const ScratchNeed& need);

  const Buffer& buffer(Binding binding) const {
    return *buffers_[static_cast<std::size_t>(binding)];
  }
  vk::DescriptorSet descriptors() const { return *descriptors_; }

 private:
  void BindBuffers();

  const Device& device_;
  std::array<std::unique_ptr<Buffer>, kBindings> buffers_;
  vk::raii::DescriptorPool pool_;
  vk::raii::DescriptorSet descriptors_;
};

}  // namespace thalweg::backend::vulkan
