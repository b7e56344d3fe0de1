#include "client/src/connection/grpc_status.h"

#include "absl/strings/match.h"
#include "client/src/contract/one_line.h"
#include "proto/wire/status_details.h"

namespace thalweg {
namespace {

// Whether a proxy ended the call because its server went away. The server did not send this
// INTERNAL: gRPC reports it for reset streams (gRPC over HTTP/2, "Errors").
bool WasCut(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::INTERNAL &&
         absl::StartsWith(status.error_message(), "Received RST_STREAM");
}

}  // namespace

absl::Status FromGrpc(const grpc::Status& status) {
  auto code = static_cast<absl::StatusCode>(status.error_code());
  if (WasCut(status)) code = absl::StatusCode::kUnavailable;
  absl::Status own(code, OneLine(status.error_message()));
  wire::DecodeDetails(status.error_details(), own);
  return own;
}

}  // namespace thalweg
