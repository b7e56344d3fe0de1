// A call from its arrival to its end: who is told of it, whose it is, and what it holds meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "server/access/access_control.h"
#include "server/calls/call_gate.h"
#include "server/calls/call_listener.h"
#include "server/tile/tile_query.h"
#include "server/world/claims.h"

namespace thalweg::calls {

// What a call shows of who makes it.
struct Credentials {
  // The values of `authorization`, of which there may be one: a bearer's token.
  std::span<const std::string_view> authorization;
  // The address that its connection comes from, in any form that access::IpOf reads.
  std::string_view peer;
  // The values of `x-forwarded-for`, believed of trusted proxies.
  std::span<const std::string_view> forwarded;
};

// Every call has one, and passes Admit before anything is done for it. It is inside, and counted
// among its caller's calls, until this is destroyed. Sent may be called by one thread at a time,
// End once and last.
class Admission {
 public:
  // Tells who calls, as CallReport has it. Asked at the end of calls that failed.
  using Peer = std::function<std::string()>;

  // A call of this id has arrived. The listeners outlive it.
  Admission(const CallListeners& listeners, Method method, std::string id, Peer peer);
  ~Admission();

  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // Lets it in. UNAVAILABLE when the gate is closed, else as AccessControl::Admit and
  // Caller::Enter: UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED; no message has
  // anything of the authorization.
  absl::Status Admit(access::AccessControl& access, CallGate& gate, const Credentials& credentials,
                     access::Scope scope);

  // Of a call that is inside:
  access::Caller& caller() const { return *caller_; }
  // Names the caller to the field, which lets clients take turns: by token, or by address without
  // one.
  std::uint64_t client() const { return client_; }
  // Makes a query the caller's, who pays for it and waits their turn. PERMISSION_DENIED when its
  // priority needs a scope that they lack.
  absl::Status Bill(tile::TileQuery& query) const;
  // Who a world that they create belongs to.
  world::Owner Owner() const;
  // Whose claims they may take back: their own, and an administrator everybody's (absent).
  std::optional<world::Owner> Deleter() const;
  // See CallGate::OnClose; for calls that would not end by themselves.
  void OnClose(std::function<void()> leave) { leaver_ = gate_->OnClose(std::move(leave)); }

  // Of every call:
  const std::string& id() const { return id_; }
  // Counts a response that is about to be handed to the transport.
  void Sent(std::size_t bytes) const;
  // Tells of the end.
  void End(const absl::Status& status) const;

 private:
  absl::Status Enter(access::AccessControl& access, const Credentials& credentials,
                     access::Scope scope);

  const CallListeners& listeners_;
  const Method method_;
  const Peer peer_;
  const std::chrono::steady_clock::time_point begun_;
  const std::string id_;

  CallGate* gate_ = nullptr;  // null: not inside
  std::uint64_t leaver_ = 0;
  access::CallerPointer caller_;  // null: not inside
  std::uint64_t client_ = 0;
};

}  // namespace thalweg::calls
