// One call from its arrival to its end, as its listeners are told of it.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "server/rpc/call_listener.h"
#include "server/rpc/request_id.h"

namespace thalweg::rpc {

using CallListeners = std::vector<CallListener*>;

// The caller is told the call's id in the initial metadata. Sent may be called by one thread at a
// time, End once and last.
class CallRecord {
 public:
  // Begins a call. The context outlives it until End, the listeners altogether.
  CallRecord(const CallListeners& listeners, Method method, grpc::CallbackServerContext& context);

  CallRecord(const CallRecord&) = delete;
  CallRecord& operator=(const CallRecord&) = delete;

  void NameToken(std::string name) { token_name_ = std::move(name); }
  // Counts a response that is about to be handed to gRPC.
  void Sent(std::size_t bytes) const;
  // Tells of the end, and gives what to Finish the call with.
  grpc::Status End(const absl::Status& status) const;

 private:
  const CallListeners& listeners_;
  const Method method_;
  const grpc::CallbackServerContext& context_;
  const std::chrono::steady_clock::time_point begun_;
  const std::string id_;
  std::string token_name_;
};

}  // namespace thalweg::rpc
