#include "server/backend/reference/reference_backend.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/backend/host/host_backend.h"
#include "server/backend/reference/execute.h"

namespace thalweg::backend {
namespace {

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
