#include "server/backend/reference/reference_backend.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "proto/wire/guarded.h"
#include "proto/wire/status_macros.h"
#include "server/backend/parts.h"
#include "server/backend/placement.h"
#include "server/backend/reference/execute.h"

namespace thalweg::backend {
namespace {

// A block in host memory.
class HostBlock final : public Block {
 public:
  HostBlock(const world::BlockShape& shape, const LayerSet& layers, int windows)
      : Block(shape, layers, windows), layout_(world::ResultLayout::Of(shape, layers)) {
    values_.resize(static_cast<std::size_t>(layout_.size) * static_cast<std::size_t>(windows));
  }

  const world::ResultLayout& layout() const { return layout_; }
  std::vector<std::int32_t>& values() { return values_; }
  const std::vector<std::int32_t>& values() const { return values_; }

 private:
  world::ResultLayout layout_;
  std::vector<std::int32_t> values_;
};

// The state of a block's windows while they are computed.
class Scratch {
 public:
  explicit Scratch(std::size_t vertices)
      : height_(2 * vertices),
        start_(vertices),
        fraction_(vertices),
        flow_(vertices),
        discharge_(vertices),
        rate_(vertices),
        layers_(static_cast<std::size_t>(kernels::kLayerPlanes) * vertices),
        movers_(2 * vertices),
        sums_(vertices) {}

  // The real land of the block that is bound next, and the values that its windows inherit.
  std::vector<int>& elevation() { return elevation_; }
  std::vector<int>& parent() { return parent_; }

  kernels::Bindings Bind(std::span<const kernels::Job> windows, const world::LevelProgram& program,
                         HostBlock& result) {
    kernels::Bindings bindings;
    bindings.kOnSphere = program.OnSphere();
    bindings.jobs = windows.data();
    bindings.program = program.instructions.data();
    bindings.parent = parent_.data();
    bindings.height = height_.data();
    bindings.start = start_.data();
    bindings.fraction = fraction_.data();
    bindings.flow = flow_.data();
    bindings.discharge = discharge_.data();
    bindings.rate = rate_.data();
    bindings.layers = layers_.data();
    bindings.movers = movers_.data();
    bindings.result = result.values().data();
    bindings.sums = sums_.data();
    bindings.elevation = elevation_.data();
    return bindings;
  }

 private:
  std::vector<int> height_;
  std::vector<int> start_;
  std::vector<kernels::uint> fraction_;
  std::vector<int> flow_;
  std::vector<kernels::uint> discharge_;
  std::vector<int> rate_;
  std::vector<int> layers_;
  std::vector<kernels::uint64_t> movers_;
  std::vector<kernels::uint64_t> sums_;
  std::vector<int> elevation_;
  std::vector<int> parent_;
};

const HostBlock& HostBlockOf(const Block& block) { return static_cast<const HostBlock&>(block); }

// Submit does all the work, several blocks in parallel.
class HostRun final : public PendingRun {
 public:
  HostRun(int threads, const world::LevelProgram& program, const world::BlockShape& shape,
          std::span<const Job> jobs, Placement placement, const RunOptions& options)
      : threads_(threads),
        program_(program),
        shape_(shape),
        kept_(KeptLayers(program, options)),
        jobs_(jobs.begin(), jobs.end()),
        placement_(std::move(placement)),
        scratches_(jobs.size()),
        results_(jobs.size()) {
    const world::BlockShape parent =
        program.level == 0 ? world::BlockShape{} : jobs.front().parent->shape();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto windows = static_cast<int>(placement_.WindowsOf(i));
      if (recorded_.contains(windows)) continue;
      recorded_[windows] = InParts(Record(program, shape, parent, windows,
                                          RecordingOptionsOf(program, options, windows > 1)),
                                   std::max(options.parts, 1));
      part_count_ = std::max(part_count_, recorded_[windows].size());
    }
  }

  int parts_left() const override { return static_cast<int>(part_count_ - submitted_); }

  absl::Status Submit() override {
    const std::size_t part = submitted_++;
    std::atomic<std::size_t> next{0};
    std::mutex failed_mutex;
    absl::Status failed;
    const auto work = [&] {
      const absl::Status worked = wire::Guarded("run level", [&] {
        for (std::size_t i = next++; i < jobs_.size(); i = next++) Compute(i, part);
        return absl::OkStatus();
      });
      const std::lock_guard lock(failed_mutex);
      failed.Update(worked);
    };
    std::vector<std::jthread> workers;
    for (int i = 1; i < std::min(threads_, static_cast<int>(jobs_.size())); ++i) {
      workers.emplace_back(work);
    }
    work();
    workers.clear();
    return failed;
  }

  absl::Status Await() override { return absl::OkStatus(); }

  std::vector<std::shared_ptr<const Block>> Take() override {
    return {results_.begin(), results_.end()};
  }

 private:
  // Copies the values that each of the block's windows starts from, one window after the other.
  void GatherParent(std::size_t i, std::vector<int>& values) const {
    if (jobs_[i].parent == nullptr) return;
    const HostBlock& parent = HostBlockOf(*jobs_[i].parent);
    const auto side = static_cast<std::ptrdiff_t>(parent.layout().side);
    const std::ptrdiff_t inherited = program_.inherited.Count() * side * side;
    for (std::size_t w = placement_.blocks[i]; w < placement_.blocks[i + 1]; ++w) {
      const auto from =
          parent.values().begin() +
          static_cast<std::ptrdiff_t>(placement_.parent_windows[w]) * parent.layout().size;
      values.insert(values.end(), from, from + inherited);
    }
  }

  void Compute(std::size_t i, std::size_t part) {
    const auto count = static_cast<int>(placement_.WindowsOf(i));
    const std::vector<std::vector<Segment>>& parts = recorded_.at(count);
    if (part >= parts.size()) return;
    std::unique_ptr<Scratch>& scratch = scratches_[i];
    if (part == 0) {
      const auto side = static_cast<std::size_t>(shape_.WindowSide());
      scratch = std::make_unique<Scratch>(side * side * static_cast<std::size_t>(count));
      scratch->elevation().resize(ElevationValues(program_, shape_));
      FillElevation(program_, shape_, std::span(jobs_).subspan(i, 1), scratch->elevation());
      GatherParent(i, scratch->parent());
      results_[i] = std::make_shared<HostBlock>(shape_, kept_, count);
    }
    const auto windows = std::span(placement_.windows)
                             .subspan(placement_.blocks[i], static_cast<std::size_t>(count));
    Execute(parts[part], scratch->Bind(windows, program_, *results_[i]), count);
    if (part + 1 == parts.size()) scratch.reset();
  }

  const int threads_;
  const world::LevelProgram& program_;
  const world::BlockShape shape_;
  const LayerSet kept_;
  const std::vector<Job> jobs_;
  const Placement placement_;
  // The parts of the recording, by the number of a block's windows.
  std::map<int, std::vector<std::vector<Segment>>> recorded_;
  std::size_t part_count_ = 0;
  std::size_t submitted_ = 0;
  // The state of each block between its parts.
  std::vector<std::unique_ptr<Scratch>> scratches_;
  std::vector<std::shared_ptr<HostBlock>> results_;
};

}  // namespace

std::unique_ptr<ReferenceBackend> ReferenceBackend::Create(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::unique_ptr<ReferenceBackend>(new ReferenceBackend(threads));
}

ReferenceBackend::ReferenceBackend(int threads)
    : threads_(threads), driver_(absl::StrCat("C++, ", threads, " threads")) {}

absl::StatusOr<std::unique_ptr<PendingRun>> ReferenceBackend::Begin(
    const world::LevelProgram& program, const world::BlockShape& shape, std::span<const Job> jobs,
    const RunOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(Placement placement, PlaceJobs(program, shape, jobs));
  return std::make_unique<HostRun>(threads_, program, shape, jobs, std::move(placement), options);
}

absl::StatusOr<std::vector<CutValues>> ReferenceBackend::ReadCuts(std::span<const Cut> cuts) {
  std::vector<CutValues> values;
  for (const Cut& cut : cuts) {
    THALWEG_RETURN_IF_ERROR(CheckCut(cut));
    const HostBlock& host = HostBlockOf(*cut.block);
    CutValues& copied = values.emplace_back();
    const auto window =
        host.values().begin() + static_cast<std::ptrdiff_t>(cut.window) * host.layout().size;
    for (const Layer layer : cut.layers) {
      const auto plane = cut.block->layers().PlaneOf(layer);
      const auto side = static_cast<std::ptrdiff_t>(host.layout().side);
      auto from = window + (plane * side + cut.rect.y) * side + cut.rect.x;
      std::vector<std::int32_t>& to = copied.planes.emplace_back();
      to.reserve(static_cast<std::size_t>(cut.rect.width) *
                 static_cast<std::size_t>(cut.rect.height));
      for (int row = 0; row < cut.rect.height; ++row, from += side) {
        to.insert(to.end(), from, from + cut.rect.width);
      }
    }
    copied.deviations.assign(window + host.layout().deviation_at, window + host.layout().size);
  }
  return values;
}

absl::StatusOr<std::shared_ptr<const Block>> ReferenceBackend::Upload(
    const world::BlockShape& shape, std::span<const std::int32_t> height,
    std::span<const std::int32_t> flow) {
  THALWEG_RETURN_IF_ERROR(CheckUpload(shape, height.size(), flow.size()));
  auto block = std::make_shared<HostBlock>(shape, kUploadedLayers, 1);
  const std::vector<std::int32_t> planes = UploadedPlanes(height, flow);
  std::copy(planes.begin(), planes.end(), block->values().begin());
  return block;
}

}  // namespace thalweg::backend
