// Whether the system has what gRPC takes when it starts.
#pragma once

#include "absl/status/status.h"

namespace thalweg::rpc {

// gRPC aborts the process where it gets no thread or file descriptor. So this takes as many as gRPC
// would, and gives them back. RESOURCE_EXHAUSTED if there are not enough.
absl::Status CheckRoomToStart();

}  // namespace thalweg::rpc
