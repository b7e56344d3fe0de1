// What an error says besides its code and message, and how gRPC carries it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace thalweg::wire {

// Sets the delay after which the same call may be made again.
void SetRetryDelay(absl::Status& status, std::chrono::milliseconds delay);

// Returns the delay that an error has, 0 or more; absent if it has none.
std::optional<std::chrono::milliseconds> RetryDelayOf(const absl::Status& status);

// Returns an error's payloads as the bytes of a google.rpc.Status; empty if it has none.
std::string EncodeDetails(const absl::Status& status);

// Adds the payloads of a google.rpc.Status to an error. Unreadable bytes add nothing.
void DecodeDetails(const std::string& bytes, absl::Status& status);

}  // namespace thalweg::wire
