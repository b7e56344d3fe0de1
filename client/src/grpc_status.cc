#include "client/src/grpc_status.h"

#include "client/src/one_line.h"
#include "proto/wire/status_details.h"

namespace thalweg {

absl::Status FromGrpc(const grpc::Status& status) {
  absl::Status own(static_cast<absl::StatusCode>(status.error_code()),
                   OneLine(status.error_message()));
  wire::DecodeDetails(status.error_details(), own);
  return own;
}

}  // namespace thalweg
