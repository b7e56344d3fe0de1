// Lets calls in until the server stops, and reports when the last one has left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "server/access/revocation.h"

namespace thalweg::calls {

// Thread-safe. Must outlive the calls inside.
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

}  // namespace thalweg::calls
