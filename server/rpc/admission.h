// Lets gRPC's calls in.
#pragma once

#include <grpcpp/server_context.h>

#include <memory>

#include "absl/status/statusor.h"
#include "server/access/access_control.h"
#include "server/calls/call_gate.h"
#include "server/calls/engine.h"
#include "server/calls/guest.h"
#include "server/rpc/call_record.h"

namespace thalweg::rpc {

// A call that is inside, and whose it is. Whoever has it ends its record.
struct Admission : calls::Guest {
  std::unique_ptr<const CallRecord> record;
};

// Lets a call in, or gives the error of calls::LetIn. A call that is not let in has ended for the
// engine's listeners.
absl::StatusOr<Admission> Admit(const calls::Engine& engine, calls::CallGate& gate,
                                calls::Method method, grpc::CallbackServerContext& context,
                                access::Scope scope);

}  // namespace thalweg::rpc
