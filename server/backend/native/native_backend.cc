#include "server/backend/native/native_backend.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/backend/host/host_backend.h"
#include "server/backend/native/crew.h"
#include "server/backend/native/instruction_set.h"

namespace thalweg::backend {
namespace {

// A run takes as many windows: enough that its threads have work for milliseconds.
constexpr int kBatch = 8;

class NativeExecutor final : public Executor {
 public:
  NativeExecutor(int threads, const native::KernelTable& kernels)
      : crew_(threads), kernels_(kernels) {}

  std::size_t blocks_at_once() const override { return 1; }

  void ForEachBlock(std::size_t count, absl::FunctionRef<void(std::size_t)> compute) override {
    for (std::size_t block = 0; block < count; ++block) compute(block);
  }

  void Execute(std::span<const stages::Segment> segments, const HostBlockState& state,
               StageTimes* times) override {
    std::vector<const stages::Dispatch*> dispatches;
    std::vector<int> rows;
    for (const stages::Segment& segment : segments) {
      for (const stages::Dispatch& dispatch : segment.dispatches) {
        dispatches.push_back(&dispatch);
        rows.push_back(dispatch.rows * state.windows);
      }
    }
    const auto begin = native::Crew::Clock::now();
    const auto ends = crew_.Share(rows, [&](std::size_t step, int first, int last) {
      RunRows(*dispatches[step], state, first, last);
    });
    if (times != nullptr) AddTimes(segments, begin, ends, *times);
  }

 private:
  // Runs rows of a dispatch, counted over all windows.
  void RunRows(const stages::Dispatch& dispatch, const HostBlockState& state, int first,
               int last) const {
    const native::KernelRows& kernel = *kernels_[static_cast<std::size_t>(dispatch.kernel)];
    const native::RunRows run = state.on_sphere ? kernel.on_sphere : kernel.on_plane;
    const native::Call call{state.buffers, dispatch.pass, dispatch.params.bytes().data()};
    while (first < last) {
      const int window = first / dispatch.rows;
      const int before = window * dispatch.rows;
      const int end = std::min(last, before + dispatch.rows);
      run(call, window, first - before, end - before);
      first = end;
    }
  }

  static void AddTimes(std::span<const stages::Segment> segments,
                       native::Crew::Clock::time_point begin,
                       std::span<const native::Crew::Clock::time_point> ends, StageTimes& times) {
    std::size_t done = 0;
    for (const stages::Segment& segment : segments) {
      done += segment.dispatches.size();
      const auto end = done > 0 ? ends[done - 1] : begin;
      DeviceTime& time = times[std::string(segment.stage)];
      if (!segment.continues) ++time.times;
      time.seconds += std::chrono::duration<double>(end - begin).count();
      begin = end;
    }
  }

  native::Crew crew_;
  const native::KernelTable& kernels_;
};

}  // namespace

absl::StatusOr<std::string> InstructionSetHere() {
  THALWEG_ASSIGN_OR_RETURN(const native::InstructionSet set,
                           native::Choose(native::InstructionSets(), ""));
  return set.name;
}

absl::StatusOr<std::unique_ptr<Backend>> CreateNative(const NativeOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(const native::InstructionSet set,
                           native::Choose(native::InstructionSets(), options.instruction_set));
  const int threads = options.threads > 0
                          ? options.threads
                          : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::make_unique<HostBackend>(
      std::make_unique<NativeExecutor>(threads, *set.kernels), kNativeName,
      absl::StrCat("C++, ", set.name, ", ", threads, " threads"), kBatch);
}

}  // namespace thalweg::backend
