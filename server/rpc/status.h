// The only file that makes a grpc::Status.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace thalweg::rpc {

// The same code, message and details. INTERNAL and UNKNOWN keep theirs too: they contain no
// secrets, and callers can report them.
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace thalweg::rpc
