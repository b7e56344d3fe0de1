// The one place where our errors become gRPC's.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace thalweg::rpc {

// The same code, message and details. INTERNAL and UNKNOWN ones are logged by nobody else, so they
// keep theirs.
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace thalweg::rpc
