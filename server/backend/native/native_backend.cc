#include "server/backend/native/native_backend.h"

#include <algorithm>
#include <thread>
#include <utility>

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

  void ForEachBlock(std::size_t count, absl::FunctionRef<void(std::size_t)> compute) override {
    for (std::size_t block = 0; block < count; ++block) compute(block);
  }

  void Execute(const stages::Dispatch& dispatch, const HostBlockState& state) override {
    const native::KernelRows& rows = kernels_[static_cast<std::size_t>(dispatch.kernel)];
    const native::RunRows run = state.on_sphere ? rows.on_sphere : rows.on_plane;
    const native::Call call{state.buffers, dispatch.pass, dispatch.params.bytes().data()};
    for (int window = 0; window < state.windows; ++window) {
      crew_.Share(dispatch.rows, [&](int first, int last) { run(call, window, first, last); });
    }
  }

 private:
  native::Crew crew_;
  const native::KernelTable& kernels_;
};

}  // namespace

std::string InstructionSetHere() { return native::Choose(native::InstructionSets(), "")->name; }

absl::StatusOr<std::unique_ptr<Backend>> CreateNative(const NativeOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(const native::InstructionSet set,
                           native::Choose(native::InstructionSets(), options.instruction_set));
  const int threads = options.threads > 0
                          ? options.threads
                          : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::make_unique<HostBackend>(
      std::make_unique<NativeExecutor>(threads, set.kernels), kNativeName,
      absl::StrCat("C++, ", set.name, ", ", threads, " threads"), kBatch);
}

}  // namespace thalweg::backend
