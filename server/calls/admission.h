// A call from its arrival to its end: its listeners, its caller, and what it holds meanwhile.
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

// How a call identifies its caller.
struct Credentials {
  // The values of `authorization`: max one, a bearer token.
  std::span<const std::string_view> authorization;
  // The connection's address, in any form that access::IpOf reads.
  std::string_view peer;
  // The values of `x-forwarded-for`, used only if a trusted proxy sent them.
  std::span<const std::string_view> forwarded;
};

// Every call has one, and passes Admit before anything is done for it. Once admitted it is inside
// the gate, and counts among its caller's calls, until this is destroyed. Sent may be called by one
// thread at a time, End once and last.
class Admission {
 public:
  // Gives CallReport::peer. Called at the end of calls that failed.
  using Peer = std::function<std::string()>;

  // A call of this id has arrived. The listeners outlive it.
  Admission(const CallListeners& listeners, Method method, std::string id, Peer peer);
  ~Admission();

  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // Lets it in. UNAVAILABLE when the gate is closed, else as AccessControl::Admit and
  // Caller::Enter: UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED; no message contains
  // any part of the authorization.
  absl::Status Admit(access::AccessControl& access, CallGate& gate, const Credentials& credentials,
                     access::Scope scope);

  // For a call that is inside:
  access::Caller& caller() const { return *caller_; }
  // The field's number of this client, for its turns: one for each token, or address without one.
  std::uint64_t client() const { return client_; }
  // Makes a query the caller's: it is charged to the caller and waits for their turn.
  // PERMISSION_DENIED when its priority needs a scope that the caller lacks.
  absl::Status Bill(tile::TileQuery& query) const;
  // The owner of worlds that the caller creates.
  world::Owner Owner() const;
  // Whose claims the caller may take back: their own; absent for an administrator: all.
  std::optional<world::Owner> Deleter() const;
  // See CallGate::OnClose; for calls that would not end by themselves.
  void OnClose(std::function<void()> leave) { leaver_ = gate_->OnClose(std::move(leave)); }

  // For every call:
  const std::string& id() const { return id_; }
  // Counts a response that is about to be handed to the transport.
  void Sent(std::size_t bytes) const;
  // Tells the listeners of the end.
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
