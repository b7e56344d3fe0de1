// Device memory for the windows under way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/status.h"
#include "server/backend/recording.h"
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

// Buffers hold 32-bit values.
inline constexpr std::size_t kWordBytes = sizeof(std::int32_t);

// What a batch needs room for.
struct ScratchNeed {
  std::size_t windows = 0;
  std::size_t window_side = 0;
  // Values that a parent passes to its child, and values in a result; in each window.
  std::size_t parent_values = 0;
  std::size_t result_values = 0;
  std::size_t instructions = 0;
  // Values of real land, in each window.
  std::size_t elevation_values = 0;

  // Bytes at a binding.
  std::size_t BytesOf(Binding binding) const;
  // Bytes of all bindings, and of the largest one.
  std::size_t TotalBytes() const;
  std::size_t LargestBytes() const;
};

// One buffer a binding, grown to the largest need so far, and the descriptor set that binds them.
// Used by one thread at a time, while the device is idle. The device must outlive it.
class Scratch {
 public:
  Scratch(const Device& device, const Pipelines& pipelines);

  // Makes room. RESOURCE_EXHAUSTED if the device has too little, or can't bind so much.
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
