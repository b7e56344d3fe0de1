// One call from its arrival to its end, as its listeners are told of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "server/calls/call_listener.h"

namespace thalweg::calls {

using CallListeners = std::vector<CallListener*>;

// Sent may be called by one thread at a time, End once and last.
class CallRecord {
 public:
  // Tells who calls, as CallReport has it. Asked at the end of calls that failed.
  using Peer = std::function<std::string()>;

  // Begins a call of this id. The listeners outlive it.
  CallRecord(const CallListeners& listeners, Method method, std::string id, Peer peer);

  CallRecord(const CallRecord&) = delete;
  CallRecord& operator=(const CallRecord&) = delete;

  const std::string& id() const { return id_; }
  void NameToken(std::string name) { token_name_ = std::move(name); }
  // Counts a response that is about to be handed to the transport.
  void Sent(std::size_t bytes) const;
  // Tells of the end.
  void End(const absl::Status& status) const;

 private:
  const CallListeners& listeners_;
  const Method method_;
  const Peer peer_;
  const std::chrono::steady_clock::time_point begun_;
  const std::string id_;
  std::string token_name_;
};

}  // namespace thalweg::calls
