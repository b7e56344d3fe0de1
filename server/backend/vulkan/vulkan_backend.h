// The backend for GPUs, and for CPUs through a Vulkan driver such as lavapipe.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"

namespace thalweg::backend::vulkan {

// The best Vulkan device, even if it is the processor.
inline constexpr char kVulkanName[] = "vulkan";

struct VulkanOptions {
  // "vulkan": the best device; or the index of a device.
  std::string device = "vulkan";
  // Checks every call and its synchronisation with the validation layer. Slow; for tests.
  bool validation = false;
  // Uses no 64-bit atomics, since some devices have none. The bits are the same.
  bool force_no_atomic64 = false;
  // Keeps blocks in memory that the CPU does not read, as on a card with its own memory; they are
  // read by a transfer. The bits are the same.
  bool force_no_unified_memory = false;
  // Whether sweeps that follow each other are one dispatch. By default they are on a GPU; on a CPU
  // that is slower. The bits are the same.
  std::optional<bool> join_sweeps = std::nullopt;
  // The memory for windows under way, in bytes; 0 for the device's default.
  std::size_t scratch_budget_bytes = 0;
  // How many parts of runs are submitted at a time; 0 for the default. That is two, so that one is
  // recorded while another one runs; on a CPU one, since both would use the same cores.
  int max_submitted = 0;
  // The file of compiled kernels; empty: a file in the user's cache folder; "off": none.
  std::string pipeline_cache;
};

class LogicalDevice;

// The backend on a Vulkan device. A lost device is recreated. The call that finds the loss returns
// UNAVAILABLE; calls with blocks from before the loss return FAILED_PRECONDITION.
class VulkanBackend final : public Backend {
 public:
  // NOT_FOUND, naming what to install, if Vulkan or a usable device is missing.
  static absl::StatusOr<std::unique_ptr<VulkanBackend>> Create(const VulkanOptions& options);
  ~VulkanBackend() override;

  const std::string& device_name() const override { return info_.name; }
  const std::string& driver() const override { return info_.driver; }
  int MaxBatch(const world::BlockShape& shape) const override;
  bool JoinsSweeps() const override;
  int MaxSubmitted() const override;
  absl::StatusOr<std::unique_ptr<PendingRun>> Begin(const world::LevelProgram& program,
                                                    const world::BlockShape& shape,
                                                    std::span<const Job> jobs,
                                                    const RunOptions& options) override;
  absl::StatusOr<std::vector<CutValues>> ReadCuts(std::span<const Cut> cuts) override;
  absl::StatusOr<std::shared_ptr<const Block>> Upload(const world::BlockShape& shape,
                                                      std::span<const std::int32_t> height,
                                                      std::span<const std::int32_t> flow) override;

  // Whether kernels add sums with 64-bit atomics.
  bool uses_atomic64() const;
  // The validation layer's messages so far. After the first one, every run fails with INTERNAL.
  std::vector<std::string> validation_messages() const;
  // The next submission finds that the device is lost. For tests.
  void SimulateDeviceLoss();

 private:
  class QueuedRun;
  VulkanBackend(DeviceInfo info, std::unique_ptr<LogicalDevice> device);

  DeviceInfo info_;
  std::unique_ptr<LogicalDevice> device_;
};

// The Vulkan devices of this machine, usable or not. NOT_FOUND if Vulkan is not installed.
absl::StatusOr<std::vector<DeviceInfo>> ListDevices();

}  // namespace thalweg::backend::vulkan
