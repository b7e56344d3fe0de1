// Lets gRPC's calls in.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <memory>

#include "absl/status/statusor.h"
#include "server/calls/admission.h"
#include "server/calls/engine.h"

namespace thalweg::rpc {

// The caller is told the call's id in the initial metadata.
class Admission : public calls::Admission {
 public:
  // The context outlives it until End, the listeners altogether.
  Admission(const calls::CallListeners& listeners, calls::Method method,
            grpc::CallbackServerContext& context);

  // Tells the listeners of the end, and gives the status to Finish the call with.
  grpc::Status End(const absl::Status& status) const;
};

// Its owner must end the call.
using AdmissionPointer = std::unique_ptr<Admission>;

// Lets a call in, or gives the error of calls::Admission::Admit. A call that is not let in has
// ended for the engine's listeners.
absl::StatusOr<AdmissionPointer> Admit(const calls::Engine& engine, calls::CallGate& gate,
                                       calls::Method method, grpc::CallbackServerContext& context,
                                       access::Scope scope);

}  // namespace thalweg::rpc
