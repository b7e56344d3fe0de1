// A call's outcome as the library reports it.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace thalweg {

// Converts the code, the message as one line of limited length, and the text of the details. A call
// that a proxy cut off becomes UNAVAILABLE, because another attempt may succeed.
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace thalweg
