// Who a call is from, and whether it may come in: the one place that every call passes.
#pragma once

#include <grpcpp/server_context.h>

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "server/access/access_control.h"
#include "server/rpc/call_gate.h"
#include "server/rpc/call_record.h"
#include "server/rpc/engine.h"
#include "server/tile/tile_query.h"

namespace thalweg::rpc {

// A call that is inside, and whose it is. Whoever has it ends its record.
struct Admission {
  std::unique_ptr<const CallRecord> record;
  CallGate::Pass pass;
  access::CallerPointer caller;
  // Names them to the field, which lets clients take turns: by token, or by connection.
  std::uint64_t client = 0;
};

// Lets a call in. UNAVAILABLE when the gate is closed, else as AccessControl::Admit:
// UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED. A call that is not let in has ended for
// the engine's listeners.
absl::StatusOr<Admission> Admit(const Engine& engine, CallGate& gate, Method method,
                                grpc::CallbackServerContext& context, access::Scope scope);

// Makes a query its caller's, who pays for it and waits their turn. PERMISSION_DENIED when its
// priority needs a scope that they lack.
absl::Status Bill(const Admission& admission, tile::TileQuery& query);

}  // namespace thalweg::rpc
