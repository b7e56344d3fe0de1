// The kernels, compiled for a device when they are first used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/vulkan/device.h"
#include "server/stages/dispatch.h"

namespace thalweg::backend::vulkan {

// The default file for a device's cache: $XDG_CACHE_HOME/thalweg/pipelines-<id>.bin, or the same
// under $HOME/.cache. Empty if neither variable is set.
std::string DefaultCachePath(std::string_view device_id);

// The saved cache; empty if the file is missing or damaged. A driver must only get a cache that it
// made, so the file has a checksum.
std::vector<std::byte> LoadCache(const std::string& path);

// Replaces the file atomically, and creates its folders.
absl::Status SaveCache(const std::string& path, std::span<const std::byte> data);

// The storage buffers of kernels, by binding.
enum class Binding : std::uint32_t {
#define THALWEG_BINDING(number, Name, name, Type) k##Name,
#include "shaders/stages/bindings.inc"
};
#define THALWEG_BINDING(number, Name, name, Type) \
  static_assert(static_cast<std::uint32_t>(Binding::k##Name) == (number));
#include "shaders/stages/bindings.inc"

// How many there are.
#define THALWEG_BINDING(number, Name, name, Type) +1
inline constexpr std::uint32_t kBindings = 0
#include "shaders/stages/bindings.inc"
    ;

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

std::string DefaultCachePath(const Device& device);

}  // namespace thalweg::backend::vulkan
