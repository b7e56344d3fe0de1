// Who a call is from, and whether it may come in: the one place that every call passes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/access/access_control.h"
#include "server/calls/call_gate.h"
#include "server/tile/tile_query.h"

namespace thalweg::calls {

// A call that is inside, and whose it is.
struct Guest {
  CallGate::Pass pass;
  access::CallerPointer caller;
  access::Caller::Visit visit;
  // Names them to the field, which lets clients take turns: by token, or by address without one.
  std::uint64_t client = 0;
};

// What a call shows of who makes it.
struct Introduction {
  // The values of `authorization`, of which there may be one: a bearer's token.
  std::span<const std::string_view> authorization;
  // The address that its connection comes from, in any form that access::IpOf reads.
  std::string_view peer;
  // The values of `x-forwarded-for`, believed of trusted proxies.
  std::span<const std::string_view> forwarded;
};

// Lets a call in. UNAVAILABLE when the gate is closed, else as AccessControl::Admit and
// Caller::Enter: UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED; no message has anything
// of the authorization.
absl::StatusOr<Guest> LetIn(access::AccessControl& access, CallGate& gate,
                            const Introduction& introduction, access::Scope scope,
                            access::CallKind kind);

// Makes a query its caller's, who pays for it and waits their turn. PERMISSION_DENIED when its
// priority needs a scope that they lack.
absl::Status Bill(const Guest& guest, tile::TileQuery& query);

}  // namespace thalweg::calls
