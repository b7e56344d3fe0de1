// A call's outcome as the library tells it.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace thalweg {

// The code, the message as one line of bounded length, and what the details add.
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace thalweg
