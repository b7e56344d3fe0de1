#include "server/backend/vulkan/vulkan_backend.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/backend/placement.h"
#include "server/backend/vulkan/compute_queue.h"
#include "server/backend/vulkan/exceptions.h"
#include "server/backend/vulkan/instance.h"
#include "server/backend/vulkan/logical_device.h"

namespace thalweg::backend::vulkan {

namespace {

// Makes room for the cut's values, and appends the copies that it needs.
void AddCopies(const VulkanBlock& block, const Cut& cut, CutValues& values,
               std::vector<BlockCopy>& copies) {
  const world::ResultLayout layout = world::ResultLayout::Of(block.shape(), block.layers());
  const auto stride = static_cast<std::size_t>(layout.side);
  const auto width = static_cast<std::size_t>(cut.rect.width);
  const auto rows = static_cast<std::size_t>(cut.rect.height);
  const auto window = static_cast<std::size_t>(cut.window) * static_cast<std::size_t>(layout.size);
  values.planes.resize(cut.layers.size());
  for (std::size_t i = 0; i < cut.layers.size(); ++i) {
    values.planes[i].resize(width * rows);
    const auto plane = static_cast<std::size_t>(block.layers().PlaneOf(cut.layers[i]));
    const std::size_t first = window +
                              (plane * stride + static_cast<std::size_t>(cut.rect.y)) * stride +
                              static_cast<std::size_t>(cut.rect.x);
    copies.push_back({&block, first, stride, width, rows, values.planes[i]});
  }
  const auto first = static_cast<std::size_t>(layout.deviation_at);
  const std::size_t count = static_cast<std::size_t>(layout.size) - first;
  values.deviations.resize(count);
  copies.push_back({&block, window + first, count, count, 1, values.deviations});
}

}  // namespace

VulkanBackend::VulkanBackend(DeviceInfo info, std::unique_ptr<LogicalDevice> device)
    : info_(std::move(info)), device_(std::move(device)) {}

VulkanBackend::~VulkanBackend() = default;

absl::StatusOr<std::unique_ptr<VulkanBackend>> VulkanBackend::Create(const VulkanOptions& options) {
  return CatchExceptions(
      "open a Vulkan device", [&]() -> absl::StatusOr<std::unique_ptr<VulkanBackend>> {
        auto log = std::make_shared<MessageLog>();
        THALWEG_ASSIGN_OR_RETURN(std::shared_ptr<const Instance> instance,
                                 Instance::Create(options.validation, log));
        THALWEG_ASSIGN_OR_RETURN(Candidate chosen, Choose(Candidates(*instance), options.device));
        THALWEG_ASSIGN_OR_RETURN(std::unique_ptr<LogicalDevice> device,
                                 LogicalDevice::Create(std::move(instance), std::move(log),
                                                       std::move(chosen.physical), options));
        return std::unique_ptr<VulkanBackend>(
            new VulkanBackend(std::move(chosen.info), std::move(device)));
      });
}

int VulkanBackend::MaxBatch(const world::BlockShape& shape) const {
  return device_->queue() != nullptr ? device_->queue()->MaxBatch(shape) : 1;
}

bool VulkanBackend::JoinsSweeps() const { return device_->traits().join_sweeps; }

int VulkanBackend::MaxSubmitted() const {
  if (device_->options().max_submitted > 0) return device_->options().max_submitted;
  return device_->traits().is_cpu ? 1 : 2;
}

// A run whose exceptions become statuses.
class VulkanBackend::QueuedRun final : public PendingRun {
 public:
  QueuedRun(LogicalDevice* device, std::string operation, std::unique_ptr<VulkanRun> run)
      : device_(device),
        operation_(std::move(operation)),
        queue_(device->queue()),
        run_(std::move(run)) {}

  int parts_left() const override { return run_->parts_left(); }

  absl::Status Submit() override {
    return device_->CallOn(queue_, operation_, [this] { return run_->Submit(); });
  }

  absl::Status Await() override {
    THALWEG_RETURN_IF_ERROR(device_->CallOn(queue_, operation_, [this] {
      run_->Await();
      return absl::OkStatus();
    }));
    return device_->log().status();
  }

  std::vector<std::shared_ptr<const Block>> Take() override { return run_->Take(); }

 private:
  LogicalDevice* const device_;
  const std::string operation_;
  const std::shared_ptr<ComputeQueue> queue_;
  const std::unique_ptr<VulkanRun> run_;
};

absl::StatusOr<std::unique_ptr<PendingRun>> VulkanBackend::Begin(const world::LevelProgram& program,
                                                                 const world::BlockShape& shape,
                                                                 std::span<const Job> jobs,
                                                                 const RunOptions& options) {
  THALWEG_RETURN_IF_ERROR(device_->log().status());
  std::string operation = absl::StrCat("run level ", program.level);
  THALWEG_ASSIGN_OR_RETURN(
      std::unique_ptr<VulkanRun> run,
      device_->Call(
          operation, [&](ComputeQueue& queue) -> absl::StatusOr<std::unique_ptr<VulkanRun>> {
            THALWEG_ASSIGN_OR_RETURN(Placement placement, PlaceJobs(program, shape, jobs));
            std::vector<const VulkanBlock*> parents;
            for (const Job& job : jobs) {
              if (program.level == 0) break;
              THALWEG_ASSIGN_OR_RETURN(parents.emplace_back(), queue.Own(*job.parent));
            }
            return queue.Begin(program, shape, jobs, std::move(placement), parents, options);
          }));
  return std::make_unique<QueuedRun>(device_.get(), std::move(operation), std::move(run));
}

absl::StatusOr<std::vector<CutValues>> VulkanBackend::ReadCuts(std::span<const Cut> cuts) {
  using Values = std::vector<CutValues>;
  for (const Cut& cut : cuts) THALWEG_RETURN_IF_ERROR(CheckCut(cut));
  return device_->Call("read blocks", [&](ComputeQueue& queue) -> absl::StatusOr<Values> {
    Values values(cuts.size());
    std::vector<BlockCopy> copies;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      THALWEG_ASSIGN_OR_RETURN(const VulkanBlock* const block, queue.Own(*cuts[i].block));
      AddCopies(*block, cuts[i], values[i], copies);
    }
    THALWEG_RETURN_IF_ERROR(queue.Read(copies));
    return values;
  });
}

absl::StatusOr<std::shared_ptr<const Block>> VulkanBackend::Upload(
    const world::BlockShape& shape, std::span<const std::int32_t> height,
    std::span<const std::int32_t> flow) {
  THALWEG_RETURN_IF_ERROR(CheckUpload(shape, height.size(), flow.size()));
  std::vector<std::int32_t> values = UploadedPlanes(height, flow);
  values.resize(static_cast<std::size_t>(world::ResultLayout::Of(shape, kUploadedLayers).size));
  return device_->Call("upload a block", [&](ComputeQueue& queue) {
    return queue.Upload(shape, kUploadedLayers, values);
  });
}

bool VulkanBackend::uses_atomic64() const { return device_->traits().atomic64; }

std::vector<std::string> VulkanBackend::validation_messages() const {
  return device_->log().messages();
}

void VulkanBackend::SimulateDeviceLoss() {
  if (device_->queue() != nullptr) device_->queue()->LoseDevice();
}

absl::StatusOr<std::vector<DeviceInfo>> ListDevices() {
  return CatchExceptions("list devices", []() -> absl::StatusOr<std::vector<DeviceInfo>> {
    THALWEG_ASSIGN_OR_RETURN(const std::shared_ptr<const Instance> instance,
                             Instance::Create(false, std::make_shared<MessageLog>()));
    std::vector<DeviceInfo> devices;
    for (Candidate& candidate : Candidates(*instance)) devices.push_back(std::move(candidate.info));
    return devices;
  });
}

}  // namespace thalweg::backend::vulkan
