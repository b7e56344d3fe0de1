// A call's record, for gRPC.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "server/calls/call_record.h"

namespace thalweg::rpc {

// The caller is told the call's id in the initial metadata.
class CallRecord : public calls::CallRecord {
 public:
  // Begins a call. The context outlives it until End, the listeners altogether.
  CallRecord(const calls::CallListeners& listeners, calls::Method method,
             grpc::CallbackServerContext& context);

  // Tells of the end, and gives what to Finish the call with.
  grpc::Status End(const absl::Status& status) const;
};

}  // namespace thalweg::rpc
