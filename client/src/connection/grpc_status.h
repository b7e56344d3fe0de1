// A call's outcome as the library reports it.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace thalweg {

// The code, the message as one line of bounded length, and the text of the details. A call that a
// proxy cut off is UNAVAILABLE: another one may succeed.
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace thalweg
