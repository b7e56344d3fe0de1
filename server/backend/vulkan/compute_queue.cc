#include "server/backend/vulkan/compute_queue.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::backend::vulkan {
namespace {

// Kernels index values with signed 32-bit integers, and count workgroups with 16 bits.
constexpr std::size_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMaxBlocks = 65535;

constexpr std::size_t kMiB = std::size_t{1} << 20;

// The default limit of scratch memory. On a CPU the windows of the largest block must fit: three of
// them, for a block at a planet's corner.
std::size_t DefaultScratchBudget(const Traits& traits) {
  if (traits.is_cpu) return 1024 * kMiB;
  return std::clamp(traits.memory_bytes / 8, 256 * kMiB, 4096 * kMiB);
}

// The part of the scratch memory that a batch may take. A CPU needs warm caches: on llvmpipe four
// windows of 256 cells ran 13 % slower together than in turn. A GPU needs many to be busy.
std::size_t DefaultBatchBudget(const Traits& traits) {
  return traits.is_cpu ? 40 * kMiB : DefaultScratchBudget(traits);
}

std::size_t Squared(int side) {
  return static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
}

// The number of values that a block's children start from: its first planes.
std::size_t InheritedValues(const world::LevelProgram& program, const world::BlockShape& shape) {
  return static_cast<std::size_t>(program.inherited.Count()) * Squared(shape.ResultSide());
}

ScratchNeed NeedOf(const world::BlockShape& shape, std::size_t windows, std::size_t parent_values,
                   std::size_t result_values, std::size_t instructions,
                   std::size_t elevation_values) {
  ScratchNeed need;
  need.windows = windows;
  need.window_side = static_cast<std::size_t>(shape.WindowSide());
  need.parent_values = parent_values;
  need.result_values = result_values;
  need.instructions = instructions;
  need.elevation_values = elevation_values;
  return need;
}

}  // namespace

ComputeQueue::ComputeQueue(std::shared_ptr<const Device> device,
                           std::unique_ptr<Pipelines> pipelines, std::size_t scratch_budget_bytes)
    : device_(std::move(device)),
      scratch_budget_bytes_(scratch_budget_bytes != 0 ? scratch_budget_bytes
                                                      : DefaultScratchBudget(device_->traits())),
      batch_budget_bytes_(scratch_budget_bytes != 0 ? scratch_budget_bytes
                                                    : DefaultBatchBudget(device_->traits())),
      pool_(BlockPool::Create(device_)),
      pipelines_(std::move(pipelines)),
      transfer_(*device_) {}

ComputeQueue::~ComputeQueue() = default;

absl::StatusOr<std::shared_ptr<ComputeQueue>> ComputeQueue::Create(
    std::shared_ptr<const Device> device, std::string cache_path,
    std::size_t scratch_budget_bytes) {
  THALWEG_ASSIGN_OR_RETURN(auto pipelines, Pipelines::Create(*device, std::move(cache_path)));
  return std::shared_ptr<ComputeQueue>(
      new ComputeQueue(std::move(device), std::move(pipelines), scratch_budget_bytes));
}

int ComputeQueue::MaxBatch(const world::BlockShape& shape) const {
  // The most values that a block may keep, and that a parent may pass on: the parent's result has
  // at most a few more vertices in a row than the window, since it surrounds half of the margin.
  const auto result =
      static_cast<std::size_t>(world::ResultLayout::Of(shape, LayerSet::All()).size);
  const auto inherited = static_cast<std::size_t>(kUploadedLayers.Count());
  const ScratchNeed one = NeedOf(shape, 1, inherited * Squared(shape.WindowSide() + 8), result, 1,
                                 world::Elevation::kPlanes * Squared(shape.WindowSide()));
  const std::size_t max = std::min({batch_budget_bytes_ / one.TotalBytes(),
                                    device_->traits().max_binding_bytes / one.LargestBytes(),
                                    kMaxIndex / (one.LargestBytes() / kWordBytes), kMaxBlocks});
  if (max > 0) return static_cast<int>(max);
  // A single block may exceed the batch's budget, but not the scratch memory's.
  const bool fits = one.TotalBytes() <= scratch_budget_bytes_ &&
                    one.LargestBytes() <= device_->traits().max_binding_bytes &&
                    one.LargestBytes() / kWordBytes <= kMaxIndex;
  return fits ? 1 : 0;
}

absl::StatusOr<const VulkanBlock*> ComputeQueue::Own(const Block& block) const {
  const auto* own = dynamic_cast<const VulkanBlock*>(&block);
  if (own == nullptr) return absl::InvalidArgumentError("the block belongs to another backend");
  if (own->memory().pool() != pool_.get()) {
    return absl::FailedPreconditionError("the block belongs to a device that was lost");
  }
  return own;
}

absl::StatusOr<std::unique_ptr<VulkanRun>> ComputeQueue::Begin(
    const world::LevelProgram& program, const world::BlockShape& shape, std::span<const Job> jobs,
    Placement placement, std::span<const VulkanBlock* const> parents, const RunOptions& options) {
  const world::BlockShape parent = parents.empty() ? world::BlockShape{} : parents[0]->shape();
  RunPlan plan;
  plan.kept = KeptLayers(program, options);
  plan.layout = world::ResultLayout::Of(shape, plan.kept);
  const std::size_t inherited = parents.empty() ? 0 : InheritedValues(program, parent);
  const ScratchNeed need =
      NeedOf(shape, placement.windows.size(), inherited, static_cast<std::size_t>(plan.layout.size),
             program.instructions.size(), ElevationValues(program, shape));
  if (need.TotalBytes() > scratch_budget_bytes_) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "invalid block: expected max ", scratch_budget_bytes_, " bytes of scratch memory, got ",
        need.TotalBytes(), " for ", placement.windows.size(), " windows of ", shape.WindowSide(),
        " x ", shape.WindowSide(), " vertices: use another --device"));
  }
  std::unique_ptr<Scratch> scratch = TakeScratch();
  THALWEG_RETURN_IF_ERROR(scratch->Reserve(need));
  std::memcpy(scratch->buffer(Binding::kJobs).mapped(), placement.windows.data(),
              placement.windows.size() * sizeof(kernels::Job));
  if (!program.instructions.empty()) {
    std::memcpy(scratch->buffer(Binding::kProgram).mapped(), program.instructions.data(),
                program.instructions.size() * sizeof(kernels::BaseInstruction));
  }
  const Buffer& land = scratch->buffer(Binding::kElevation);
  FillElevation(program, shape, jobs,
                {static_cast<std::int32_t*>(static_cast<void*>(land.mapped())),
                 jobs.size() * need.elevation_values});
  world::RecordingOptions recording =
      RecordingOptionsOf(program, options, placement.CrossesEdges());
  recording.join_sweeps = device_->traits().join_sweeps && !placement.CrossesEdges();
  plan.parts =
      InParts(Record(program, shape, parent, static_cast<int>(placement.windows.size()), recording),
              std::max(options.parts, 1));
  plan.on_sphere = program.OnSphere();
  plan.jobs.assign(jobs.begin(), jobs.end());
  plan.parents.assign(parents.begin(), parents.end());
  plan.placement = std::move(placement);
  plan.inherited_bytes = inherited * kWordBytes;
  plan.shape = shape;
  plan.stage_times = options.stage_times;
  return std::make_unique<VulkanRun>(shared_from_this(), std::move(scratch), std::move(plan));
}

std::unique_ptr<Scratch> ComputeQueue::TakeScratch() {
  if (scratches_.empty()) return std::make_unique<Scratch>(*device_, *pipelines_);
  std::unique_ptr<Scratch> scratch = std::move(scratches_.back());
  scratches_.pop_back();
  return scratch;
}

void ComputeQueue::GiveBack(std::unique_ptr<Scratch> scratch) {
  scratches_.push_back(std::move(scratch));
}

std::unique_ptr<Submission> ComputeQueue::TakeSubmission() {
  if (submissions_.empty()) return std::make_unique<Submission>(*device_);
  std::unique_ptr<Submission> submission = std::move(submissions_.back());
  submissions_.pop_back();
  return submission;
}

void ComputeQueue::GiveBack(std::unique_ptr<Submission> submission) {
  submissions_.push_back(std::move(submission));
}

void ComputeQueue::CheckDevice() const {
  if (lost_) throw vk::DeviceLostError("simulated");
}

void ComputeQueue::Transfer() {
  CheckDevice();
  transfer_.Submit();
  transfer_.Await();
}

absl::Status ComputeQueue::Read(std::span<const BlockCopy> copies) {
  if (device_->traits().unified_memory) {
    for (const BlockCopy& copy : copies) {
      const std::byte* from = copy.block->memory().mapped();
      for (std::size_t row = 0; row < copy.rows; ++row) {
        std::memcpy(&copy.values[row * copy.width],
                    from + (copy.first + row * copy.stride) * kWordBytes, copy.width * kWordBytes);
      }
    }
    return absl::OkStatus();
  }
  std::size_t bytes = 0;
  for (const BlockCopy& copy : copies) bytes += copy.values.size_bytes();
  THALWEG_ASSIGN_OR_RETURN(const Buffer* const staging,
                           Staging(readback_, bytes, Access::kReadback));
  const absl::Cleanup drop = [this] { transfer_.Drop(); };
  const vk::raii::CommandBuffer& commands = transfer_.Begin();
  Barrier(commands, Work::kAny, Work::kTransfer);
  std::size_t at = 0;
  for (const BlockCopy& copy : copies) {
    const BlockMemory& memory = copy.block->memory();
    std::vector<vk::BufferCopy> regions;
    for (std::size_t row = 0; row < copy.rows; ++row) {
      regions.emplace_back(memory.offset() + (copy.first + row * copy.stride) * kWordBytes,
                           at + row * copy.width * kWordBytes, copy.width * kWordBytes);
    }
    commands.copyBuffer(memory.buffer(), staging->handle(), regions);
    at += copy.values.size_bytes();
  }
  Barrier(commands, Work::kTransfer, Work::kHostRead);
  Transfer();
  at = 0;
  for (const BlockCopy& copy : copies) {
    std::memcpy(copy.values.data(), staging->mapped() + at, copy.values.size_bytes());
    at += copy.values.size_bytes();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const Block>> ComputeQueue::Upload(
    const world::BlockShape& shape, const LayerSet& layers, std::span<const std::int32_t> values) {
  THALWEG_ASSIGN_OR_RETURN(BlockMemory memory, pool_->Take(values.size_bytes()));
  if (memory.mapped() != nullptr) {
    std::memcpy(memory.mapped(), values.data(), values.size_bytes());
  } else {
    THALWEG_ASSIGN_OR_RETURN(const Buffer* const staging,
                             Staging(upload_, values.size_bytes(), Access::kUpload));
    std::memcpy(staging->mapped(), values.data(), values.size_bytes());
    const absl::Cleanup drop = [this] { transfer_.Drop(); };
    const vk::raii::CommandBuffer& commands = transfer_.Begin();
    Barrier(commands, Work::kAny, Work::kTransfer);
    commands.copyBuffer(staging->handle(), memory.buffer(),
                        vk::BufferCopy(0, memory.offset(), values.size_bytes()));
    Transfer();
  }
  return std::make_shared<const VulkanBlock>(shape, layers, 1, std::move(memory));
}

absl::StatusOr<const Buffer*> ComputeQueue::Staging(std::unique_ptr<Buffer>& buffer,
                                                    std::size_t bytes, Access access) {
  if (buffer == nullptr || buffer->bytes() < bytes) {
    buffer.reset();
    THALWEG_ASSIGN_OR_RETURN(buffer, Buffer::Create(*device_, bytes, access));
  }
  return buffer.get();
}

}  // namespace thalweg::backend::vulkan
