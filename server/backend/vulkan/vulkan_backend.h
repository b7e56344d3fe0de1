// The backend for GPUs, and for CPUs through a Vulkan driver such as lavapipe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/backend/device_info.h"

namespace thalweg::backend::vulkan {

struct VulkanOptions {
  // "auto": the best; or the index of a device.
  std::string device = "auto";
  // Checks every call with the validation layer, synchronisation too: slow, for tests.
  bool validation = false;
  // Does without 64-bit atomics, as some devices must. The bits are the same.
  bool force_no_atomic64 = false;
  // Keeps blocks where the CPU does not read them, as a card with memory of its own does: they are
  // read by a transfer. The bits are the same.
  bool force_no_unified_memory = false;
  // The memory of windows under way; 0 for the device's default.
  std::size_t scratch_budget_bytes = 0;
  // Parts of runs that are submitted at a time; 0 for the device's default: two, so that one is
  // recorded while another one runs; on a CPU one, since both would use the same cores.
  int max_submitted = 0;
  // The file of compiled kernels; empty: in the user's cache folder; "off": none.
  std::string pipeline_cache;
};

class LogicalDevice;

// A lost device is recreated: the call that met the loss returns UNAVAILABLE, and blocks from
// before it FAILED_PRECONDITION from then on.
class VulkanBackend final : public Backend {
 public:
  // NOT_FOUND, naming what to install, without Vulkan or a usable device.
  static absl::StatusOr<std::unique_ptr<VulkanBackend>> Create(const VulkanOptions& options);
  ~VulkanBackend() override;

  const std::string& device_name() const override { return info_.name; }
  const std::string& driver() const override { return info_.driver; }
  int MaxBatch(const world::BlockShape& shape) const override;
  int MaxSubmitted() const override;
  absl::StatusOr<std::unique_ptr<PendingRun>> Begin(const world::LevelProgram& program,
                                                    const world::BlockShape& shape,
                                                    std::span<const Job> jobs,
                                                    const RunOptions& options) override;
  absl::StatusOr<std::vector<CutValues>> ReadCuts(std::span<const Cut> cuts) override;
  absl::StatusOr<std::shared_ptr<const Block>> Upload(const world::BlockShape& shape,
                                                      std::span<const std::int32_t> height,
                                                      std::span<const std::int32_t> flow) override;

  // Whether sums are added by 64-bit atomics.
  bool uses_atomic64() const;
  // The validation layer's messages so far. After the first one every Run fails with INTERNAL.
  std::vector<std::string> validation_messages() const;
  // The next submission finds the device lost. For tests.
  void SimulateDeviceLoss();

 private:
  class QueuedRun;
  VulkanBackend(DeviceInfo info, std::unique_ptr<LogicalDevice> device);

  DeviceInfo info_;
  std::unique_ptr<LogicalDevice> device_;
};

// The Vulkan devices of this machine, usable or not. NOT_FOUND without Vulkan.
absl::StatusOr<std::vector<DeviceInfo>> ListDevices();

}  // namespace thalweg::backend::vulkan
