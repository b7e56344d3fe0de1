#include "server/backend/reference/reference_backend.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/backend/host/host_backend.h"
#include "server/stages/dispatch.h"

namespace thalweg::backend {
// Each is in the source of its kernel (kernel.cc.in).
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) \
  void Sweep##Name(const stages::Dispatch& dispatch, const HostBlockState& state);
#define THALWEG_GPU_KERNEL(Name, stem, on_plane, on_sphere)
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL

namespace {

using SweepKernel = void (*)(const stages::Dispatch&, const HostBlockState&);

// Null for those that a recording has only for a GPU.
constexpr std::array<SweepKernel, stages::kKernelCount> kSweeps = {
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) &Sweep##Name,
#define THALWEG_GPU_KERNEL(Name, stem, on_plane, on_sphere) nullptr,
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL
};

// Runs a recorded dispatch on one block, on the calling thread.
void ExecutePlainly(const stages::Dispatch& dispatch, const HostBlockState& state) {
  kSweeps[static_cast<std::size_t>(dispatch.kernel)](dispatch, state);
}

// Threads share out blocks, not the work of one block.
class ReferenceExecutor final : public Executor {
 public:
  explicit ReferenceExecutor(int threads) : threads_(threads) {}

  std::size_t blocks_at_once() const override { return static_cast<std::size_t>(threads_); }

  void ForEachBlock(std::size_t count, absl::FunctionRef<void(std::size_t)> compute) override {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) compute(i);
    };
    std::vector<std::jthread> workers;
    try {
      for (int i = 1; i < std::min(threads_, static_cast<int>(count)); ++i) {
        workers.emplace_back(work);
      }
    } catch (const std::system_error&) {
      // The threads that there are compute all blocks.
    }
    work();
  }

  void Execute(std::span<const stages::Segment> segments, const HostBlockState& state,
               StageTimes* /*times*/) override {
    for (const stages::Segment& segment : segments) {
      for (const stages::Dispatch& dispatch : segment.dispatches) ExecutePlainly(dispatch, state);
    }
  }

 private:
  const int threads_;
};

}  // namespace

std::unique_ptr<Backend> CreateReference(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::make_unique<HostBackend>(std::make_unique<ReferenceExecutor>(threads), kReferenceName,
                                       absl::StrCat("C++, ", threads, " threads"), 4 * threads);
}

}  // namespace thalweg::backend
