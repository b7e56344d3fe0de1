// Ends calls whose callers take no more bytes.
#pragma once

#include <grpcpp/server_context.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "server/sharing/timer.h"

namespace thalweg::rpc {

// How long a caller may take to read what is being written when the server ends its call.
struct EndPatience {
  sharing::Timer* timer = nullptr;
  std::chrono::milliseconds time{0};
};

// gRPC completes a write when flow control allows, so a caller that takes no more bytes could keep
// its call for ever. Thread-safe.
class CallEnd {
 public:
  // The context must live until Done. The timer must outlive the call.
  CallEnd(grpc::CallbackServerContext& context, const EndPatience& patience)
      : open_(std::make_shared<Open>(&context)), patience_(patience) {}

  // Must be called by OnDone: afterwards gRPC has no such call.
  void Done();
  // Cancels the call when the patience is over, unless it is done by then. Called by the thread
  // that has ended the call while a write is under way.
  void CancelLater();

 private:
  struct Open {
    explicit Open(grpc::CallbackServerContext* of) : context(of) {}

    std::mutex mutex;
    grpc::CallbackServerContext* context;  // null when the call is done
  };

  const std::shared_ptr<Open> open_;
  const EndPatience patience_;
  std::atomic<bool> counting_ = false;
};

}  // namespace thalweg::rpc
