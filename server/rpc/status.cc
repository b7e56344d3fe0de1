#include "server/rpc/status.h"

#include <string>

#include "proto/wire/status_details.h"

namespace thalweg::rpc {

grpc::Status ToGrpcStatus(const absl::Status& status) {
  // The canonical codes have the same numbers in Abseil and gRPC.
  return {static_cast<grpc::StatusCode>(status.raw_code()), std::string(status.message()),
          wire::EncodeDetails(status)};
}

}  // namespace thalweg::rpc
