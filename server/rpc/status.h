// The one place where our errors become gRPC's.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace thalweg::rpc {

// The same code, message and details. INTERNAL and UNKNOWN ones keep theirs too: nothing in them is
// secret, and callers can tell them on.
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace thalweg::rpc
