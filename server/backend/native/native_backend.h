// Kernels compiled for the processor: all threads share one block's rows, and the compiler runs
// several invocations of a row at once.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"

namespace thalweg::backend {

inline constexpr char kNativeName[] = "native";

struct NativeOptions {
  // 0: one for each core.
  int threads = 0;
  // One of InstructionSets; empty: the best of this processor.
  std::string instruction_set = {};
};

// The best instruction set of this processor that the kernels are compiled for. FAILED_PRECONDITION
// if there is none.
absl::StatusOr<std::string> InstructionSetHere();

// INVALID_ARGUMENT if there is no such instruction set, FAILED_PRECONDITION if this processor lacks
// it, or all of them.
absl::StatusOr<std::unique_ptr<Backend>> CreateNative(const NativeOptions& options);

}  // namespace thalweg::backend
