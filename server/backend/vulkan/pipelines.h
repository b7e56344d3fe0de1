// The kernels, compiled for a device when they are first used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/statusor.h"
#include "server/backend/vulkan/device.h"
#include "server/stages/kernel.h"

namespace thalweg::backend::vulkan {

// How many storage buffers shaders/stages/bindings.glsl has.
inline constexpr std::uint32_t kBindings = 14;

struct Pipeline {
  vk::raii::Pipeline handle;
  // Invocations in a workgroup, all in a row.
  int workgroup_width = 0;
};

// Used by one thread at a time. The device must outlive it.
class Pipelines {
 public:
  // `cache_path`: the file that keeps compiled kernels between runs; empty: no file.
  static absl::StatusOr<std::unique_ptr<Pipelines>> Create(const Device& device,
                                                           std::string cache_path);

  // The kernel's pipeline, for planets or for planes. The first call compiles it.
  absl::StatusOr<const Pipeline*> Get(stages::Kernel kernel, bool on_sphere);

  // Writes the cache if kernels were compiled that it lacks. A cache that can't be written is not
  // an error.
  void Save();

  vk::PipelineLayout layout() const { return *layout_; }
  vk::DescriptorSetLayout set_layout() const { return *set_layout_; }

 private:
  Pipelines(const Device& device, std::string cache_path);

  const Device& device_;
  std::string cache_path_;
  std::size_t saved_bytes_ = 0;
  bool compiled_ = false;
  vk::raii::DescriptorSetLayout set_layout_;
  vk::raii::PipelineLayout layout_;
  vk::raii::PipelineCache cache_;
  // The pipelines for planes, then those for planets.
  std::array<std::unique_ptr<Pipeline>, 2 * stages::kKernelCount> pipelines_;
};

// The default file for the device's cache; see pipeline_cache_file.h.
std::string DefaultCachePath(const Device& device);

}  // namespace thalweg::backend::vulkan
