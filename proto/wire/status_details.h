// What an error says beyond its code and message, and how that travels over gRPC.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace thalweg::wire {

// Says in an error after how long the same call may be made again.
void SetRetryDelay(absl::Status& status, std::chrono::milliseconds delay);

// The delay that an error names, 0 or more; absent if it names none.
std::optional<std::chrono::milliseconds> RetryDelayOf(const absl::Status& status);

// An error's payloads as the bytes of a google.rpc.Status; empty if it has none.
std::string EncodeDetails(const absl::Status& status);

// Adds the payloads of a google.rpc.Status to an error; what can't be read adds nothing.
void DecodeDetails(const std::string& bytes, absl::Status& status);

}  // namespace thalweg::wire
