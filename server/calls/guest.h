// Who a call is from, and whether it may come in: the one place that every call passes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "server/access/access_control.h"
#include "server/calls/call_gate.h"
#include "server/tile/tile_query.h"

namespace thalweg::calls {

// A call that is inside, and whose it is.
struct Guest {
  CallGate::Pass pass;
  access::CallerPointer caller;
  // Names them to the field, which lets clients take turns: by token, or by connection.
  std::uint64_t client = 0;
};

// Lets a call in that shows these values of `authorization`, of which there may be one: a bearer's
// token. `peer` names who has none. UNAVAILABLE when the gate is closed, else as
// AccessControl::Admit: UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED; no message has
// anything of the values.
absl::StatusOr<Guest> LetIn(access::AccessControl& access, CallGate& gate,
                            std::span<const std::string_view> authorization, access::Scope scope,
                            absl::FunctionRef<std::string()> peer);

// Makes a query its caller's, who pays for it and waits their turn. PERMISSION_DENIED when its
// priority needs a scope that they lack.
absl::Status Bill(const Guest& guest, tile::TileQuery& query);

}  // namespace thalweg::calls
