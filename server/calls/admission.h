// A call from its arrival to its end: its listeners, its caller, and what it holds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "server/access/access_control.h"
#include "server/access/revocation.h"
#include "server/calls/call_listener.h"
#include "server/tile/tile_query.h"
#include "server/world/kept_worlds.h"

namespace thalweg::calls {

// Lets calls in until the server stops, and reports when the last one has left. Thread-safe. Must
// outlive the calls inside.
class CallGate {
 public:
  // Lets a call in, which must Leave later. UNAVAILABLE once the gate is closed.
  absl::Status Enter();
  // A call leaves. Its watch must be destroyed before.
  void Leave();
  // Sets a callback for a call that would not leave by itself. It is called once, with UNAVAILABLE,
  // by the thread that closes the gate, or inside OnClose if the gate is closed. It may run while
  // the call leaves.
  [[nodiscard]] access::Revocation::Watch OnClose(access::Revocation::Leave leave) {
    return closing_.OnRevoke(std::move(leave));
  }

  // Calls the callbacks. Must return before the gate is destroyed.
  void Close();
  bool is_open() const;
  // Waits until no call is inside. False if the deadline came first. Its clock is steady: the
  // system's may be set back meanwhile.
  bool AwaitEmpty(std::chrono::steady_clock::time_point deadline);

 private:
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::int64_t inside_ = 0;
  bool closed_ = false;
  access::Revocation closing_;
};

// How a call identifies its caller.
struct Credentials {
  // The values of `authorization`: at most one, a bearer token.
  std::span<const std::string_view> authorization;
  // The connection's address, in any form that access::IpOf reads.
  std::string_view peer;
  // The values of `x-forwarded-for`, used only if a trusted proxy sent them.
  std::span<const std::string_view> forwarded;
};

// Every call has one, and passes Admit before any work is done for it. An admitted call is inside
// the gate and counts among its caller's calls until this is destroyed. Sent may be called by one
// thread at a time, End once and last.
class Admission {
 public:
  // Returns CallReport::peer. Called at the end of a call that failed.
  using Peer = std::function<std::string()>;

  // A call with this id has arrived. The listeners must outlive this.
  Admission(const CallListeners& listeners, Method method, std::string id, Peer peer);
  ~Admission();

  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // Lets the call in. UNAVAILABLE if the gate is closed, else as AccessControl::CallerOf and
  // Caller::Enter: UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED. No message contains
  // any part of the authorization.
  absl::Status Admit(access::AccessControl& access, CallGate& gate, const Credentials& credentials,
                     access::Scope scope);

  // For admitted calls:
  access::Caller& caller() const { return *caller_; }
  // A number that tells clients apart: one for each token, or address without a token.
  std::uint64_t client() const { return client_; }
  // Makes a query one of the caller's: it is charged to the caller and takes the caller's turn.
  // PERMISSION_DENIED if its priority needs a scope that the caller lacks.
  absl::Status Bill(tile::TileQuery& query) const;
  // The owner of worlds that the caller creates.
  world::Owner Owner() const;
  // The owner whose claims the caller may withdraw: itself; absent for an administrator: all.
  std::optional<world::Owner> Deleter() const;
  // See CallGate::OnClose. For calls that do not end by themselves.
  void OnClose(access::Revocation::Leave leave) { closing_ = gate_->OnClose(std::move(leave)); }

  // For every call:
  const std::string& id() const { return id_; }
  // Reports to the listeners a response that is about to be handed to the transport.
  void Sent(std::size_t bytes) const;
  // Reports the call's end to the listeners.
  void End(const absl::Status& status) const;

 private:
  // Finds the caller and counts the call among its calls.
  absl::Status Enter(access::AccessControl& access, const Credentials& credentials,
                     access::Scope scope);

  const CallListeners& listeners_;
  const Method method_;
  const Peer peer_;
  const std::chrono::steady_clock::time_point begun_;
  const std::string id_;

  CallGate* gate_ = nullptr;  // null if the call is not inside
  access::Revocation::Watch closing_;
  access::CallerPointer caller_;  // null if the call is not inside
  std::uint64_t client_ = 0;
};

}  // namespace thalweg::calls
