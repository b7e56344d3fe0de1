#include "server/backend/vulkan/vulkan_backend.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/backend/recording.h"
#include "server/backend/vulkan/device_list.h"
#include "server/backend/vulkan/executor.h"
#include "server/backend/vulkan/guard.h"

namespace thalweg::backend::vulkan {

// The chosen device, opened, and opened again when it was lost.
class VulkanBackend::Machine {
 public:
  static absl::StatusOr<std::unique_ptr<Machine>> Create(std::shared_ptr<const Instance> instance,
                                                         std::shared_ptr<MessageLog> log,
                                                         vk::raii::PhysicalDevice physical,
                                                         const VulkanOptions& options) {
    std::unique_ptr<Machine> machine(
        new Machine(std::move(instance), std::move(log), std::move(physical), options));
    THALWEG_RETURN_IF_ERROR(machine->Open());
    return machine;
  }

  // Calls a function of the executor; on a loss of the device, everything on it is given up.
  template <typename Function>
  auto Call(absl::string_view operation, Function&& function)
      -> decltype(function(std::declval<Executor&>())) {
    if (executor_ == nullptr) {
      THALWEG_RETURN_IF_ERROR(Guard("open the device again", [this] { return Open(); }));
    }
    return CallOn(executor_, operation, [&] { return function(*executor_); });
  }

  // Calls a function of what began on an executor. UNAVAILABLE also when that was lost meanwhile.
  template <typename Function>
  auto CallOn(const std::shared_ptr<Executor>& executor, absl::string_view operation,
              Function&& function) -> decltype(function()) {
    if (executor != executor_) {
      return absl::UnavailableError(absl::StrCat(operation, ": device lost"));
    }
    auto result = Guard(operation, function);
    // Nothing in an executor returns UNAVAILABLE by itself.
    if (absl::IsUnavailable(StatusIn(result))) {
      executor_.reset();
      // If this fails, the next call tries again, and says why.
      Guard("open the device again", [this] { return Open(); }).IgnoreError();
    }
    return result;
  }

  const std::shared_ptr<Executor>& executor() const { return executor_; }
  const Traits& traits() const { return traits_; }
  const VulkanOptions& options() const { return options_; }
  const MessageLog& log() const { return *log_; }

 private:
  Machine(std::shared_ptr<const Instance> instance, std::shared_ptr<MessageLog> log,
          vk::raii::PhysicalDevice physical, const VulkanOptions& options)
      : log_(std::move(log)),
        instance_(std::move(instance)),
        physical_(std::move(physical)),
        options_(options) {}

  static const absl::Status& StatusIn(const absl::Status& status) { return status; }
  template <typename T>
  static const absl::Status& StatusIn(const absl::StatusOr<T>& result) {
    return result.status();
  }

  absl::Status Open() {
    THALWEG_ASSIGN_OR_RETURN(std::shared_ptr<const Device> device,
                             Device::Create(instance_, physical_,
                                            {.atomic64 = options_.force_no_atomic64,
                                             .unified_memory = options_.force_no_unified_memory}));
    traits_ = device->traits();
    std::string cache_path = options_.pipeline_cache;
    if (cache_path.empty()) cache_path = DefaultCachePath(*device);
    if (cache_path == "off") cache_path.clear();
    THALWEG_ASSIGN_OR_RETURN(executor_, Executor::Create(std::move(device), std::move(cache_path),
                                                         options_.scratch_budget_bytes));
    return absl::OkStatus();
  }

  std::shared_ptr<MessageLog> log_;
  std::shared_ptr<const Instance> instance_;
  vk::raii::PhysicalDevice physical_;
  VulkanOptions options_;
  Traits traits_;
  // Null if the device was lost and could not be opened again yet. Runs of before keep theirs.
  std::shared_ptr<Executor> executor_;
};

namespace {

// Makes room for what the cut asks for, and adds what is to be copied there.
void AddCopies(const VulkanBlock& block, const Cut& cut, CutValues& values,
               std::vector<BlockCopy>& copies) {
  const ResultLayout layout = ResultLayout::Of(block.shape(), block.layers());
  const auto stride = static_cast<std::size_t>(layout.side);
  const auto width = static_cast<std::size_t>(cut.rect.width);
  const auto rows = static_cast<std::size_t>(cut.rect.height);
  values.planes.resize(cut.layers.size());
  for (std::size_t i = 0; i < cut.layers.size(); ++i) {
    values.planes[i].resize(width * rows);
    const auto plane = static_cast<std::size_t>(block.layers().PlaneOf(cut.layers[i]));
    const std::size_t first = (plane * stride + static_cast<std::size_t>(cut.rect.y)) * stride +
                              static_cast<std::size_t>(cut.rect.x);
    copies.push_back({&block, first, stride, width, rows, values.planes[i]});
  }
  const auto first = static_cast<std::size_t>(layout.deviation_at);
  const std::size_t count = static_cast<std::size_t>(layout.size) - first;
  values.deviations.resize(count);
  copies.push_back({&block, first, count, count, 1, values.deviations});
}

}  // namespace

VulkanBackend::VulkanBackend(DeviceInfo info, std::unique_ptr<Machine> machine)
    : info_(std::move(info)), machine_(std::move(machine)) {}

VulkanBackend::~VulkanBackend() = default;

absl::StatusOr<std::unique_ptr<VulkanBackend>> VulkanBackend::Create(const VulkanOptions& options) {
  return Guard("open a Vulkan device", [&]() -> absl::StatusOr<std::unique_ptr<VulkanBackend>> {
    auto log = std::make_shared<MessageLog>();
    THALWEG_ASSIGN_OR_RETURN(std::shared_ptr<const Instance> instance,
                             Instance::Create(options.validation, log));
    THALWEG_ASSIGN_OR_RETURN(Candidate chosen, Choose(Candidates(*instance), options.device));
    THALWEG_ASSIGN_OR_RETURN(
        std::unique_ptr<Machine> machine,
        Machine::Create(std::move(instance), std::move(log), std::move(chosen.physical), options));
    return std::unique_ptr<VulkanBackend>(
        new VulkanBackend(std::move(chosen.info), std::move(machine)));
  });
}

int VulkanBackend::MaxBatch(const world::BlockShape& shape) const {
  return machine_->executor() != nullptr ? machine_->executor()->MaxBatch(shape) : 1;
}

int VulkanBackend::MaxSubmitted() const {
  if (machine_->options().max_submitted > 0) return machine_->options().max_submitted;
  return machine_->traits().is_cpu ? 1 : 2;
}

// A run whose exceptions end here.
class VulkanBackend::GuardedRun final : public PendingRun {
 public:
  GuardedRun(Machine* machine, std::string operation, std::unique_ptr<VulkanRun> run)
      : machine_(machine),
        operation_(std::move(operation)),
        executor_(machine->executor()),
        run_(std::move(run)) {}

  int parts_left() const override { return run_->parts_left(); }

  absl::Status Submit() override {
    return machine_->CallOn(executor_, operation_, [this] { return run_->Submit(); });
  }

  absl::Status Await() override {
    THALWEG_RETURN_IF_ERROR(machine_->CallOn(executor_, operation_, [this] {
      run_->Await();
      return absl::OkStatus();
    }));
    return machine_->log().status();
  }

  std::vector<std::shared_ptr<const Block>> Take() override { return run_->Take(); }

 private:
  Machine* const machine_;
  const std::string operation_;
  const std::shared_ptr<Executor> executor_;
  const std::unique_ptr<VulkanRun> run_;
};

absl::StatusOr<std::unique_ptr<PendingRun>> VulkanBackend::Begin(const world::LevelProgram& program,
                                                                 const world::BlockShape& shape,
                                                                 std::span<const Job> jobs,
                                                                 const RunOptions& options) {
  THALWEG_RETURN_IF_ERROR(machine_->log().status());
  std::string operation = absl::StrCat("run level ", program.level);
  THALWEG_ASSIGN_OR_RETURN(
      std::unique_ptr<VulkanRun> run,
      machine_->Call(
          operation, [&](Executor& executor) -> absl::StatusOr<std::unique_ptr<VulkanRun>> {
            THALWEG_ASSIGN_OR_RETURN(const std::vector<kernels::Job> placed,
                                     PlaceJobs(program, shape, jobs));
            std::vector<const VulkanBlock*> parents;
            for (const Job& job : jobs) {
              if (program.level == 0) break;
              THALWEG_ASSIGN_OR_RETURN(parents.emplace_back(), executor.Own(*job.parent));
            }
            return executor.Begin(program, shape, jobs, placed, parents, options);
          }));
  return std::make_unique<GuardedRun>(machine_.get(), std::move(operation), std::move(run));
}

absl::StatusOr<std::vector<CutValues>> VulkanBackend::ReadCuts(std::span<const Cut> cuts) {
  using Values = std::vector<CutValues>;
  for (const Cut& cut : cuts) THALWEG_RETURN_IF_ERROR(CheckCut(cut));
  return machine_->Call("read blocks", [&](Executor& executor) -> absl::StatusOr<Values> {
    Values values(cuts.size());
    std::vector<BlockCopy> copies;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      THALWEG_ASSIGN_OR_RETURN(const VulkanBlock* const block, executor.Own(*cuts[i].block));
      AddCopies(*block, cuts[i], values[i], copies);
    }
    THALWEG_RETURN_IF_ERROR(executor.Read(copies));
    return values;
  });
}

absl::StatusOr<std::shared_ptr<const Block>> VulkanBackend::Upload(
    const world::BlockShape& shape, std::span<const std::int32_t> height,
    std::span<const std::int32_t> flow) {
  THALWEG_RETURN_IF_ERROR(CheckUpload(shape, height.size(), flow.size()));
  std::vector<std::int32_t> values = UploadedPlanes(height, flow);
  values.resize(static_cast<std::size_t>(ResultLayout::Of(shape, kUploadedLayers).size));
  return machine_->Call("upload a block", [&](Executor& executor) {
    return executor.Upload(shape, kUploadedLayers, values);
  });
}

bool VulkanBackend::uses_atomic64() const { return machine_->traits().atomic64; }

std::vector<std::string> VulkanBackend::validation_messages() const {
  return machine_->log().messages();
}

void VulkanBackend::SimulateDeviceLoss() {
  if (machine_->executor() != nullptr) machine_->executor()->LoseDevice();
}

absl::StatusOr<std::vector<DeviceInfo>> ListDevices() {
  return Guard("list devices", []() -> absl::StatusOr<std::vector<DeviceInfo>> {
    THALWEG_ASSIGN_OR_RETURN(const std::shared_ptr<const Instance> instance,
                             Instance::Create(false, std::make_shared<MessageLog>()));
    std::vector<DeviceInfo> devices;
    for (Candidate& candidate : Candidates(*instance)) devices.push_back(std::move(candidate.info));
    return devices;
  });
}

}  // namespace thalweg::backend::vulkan
