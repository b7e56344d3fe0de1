// Admits gRPC's calls.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <memory>

#include "absl/status/statusor.h"
#include "server/calls/admission.h"
#include "server/calls/engine.h"

namespace thalweg::rpc {

// Sends the call's id to the caller in the initial metadata.
class Admission : public calls::Admission {
 public:
  // The context must live until End, the listeners must outlive this.
  Admission(const calls::CallListeners& listeners, calls::Method method,
            grpc::CallbackServerContext& context);

  // Reports the end to the listeners, and returns the status for Finish.
  grpc::Status End(const absl::Status& status) const;
};

// The owner must call End.
using AdmissionPointer = std::unique_ptr<Admission>;

// Admits a call, or returns the error of calls::Admission::Admit. Such a call has already ended for
// the engine's listeners.
absl::StatusOr<AdmissionPointer> Admit(const calls::Engine& engine, calls::CallGate& gate,
                                       calls::Method method, grpc::CallbackServerContext& context,
                                       access::Scope scope);

}  // namespace thalweg::rpc
