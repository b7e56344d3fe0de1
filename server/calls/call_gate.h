// Lets calls in until the server stops, and tells when the last one has left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "absl/status/status.h"

namespace thalweg::calls {

// Thread-safe. Outlives the calls inside.
class CallGate {
 public:
  // Lets a call in, which must Leave later. UNAVAILABLE once the gate is closed.
  absl::Status Enter();
  // The call leaves, with the number that OnClose gave.
  void Leave(std::uint64_t number = 0);
  // `leave` is called once, by the thread that closes the gate (at once if it is closed), for calls
  // that would not leave by themselves. It may run while the call leaves.
  std::uint64_t OnClose(std::function<void()> leave);

  void Close();
  bool is_open() const;
  // Waits until no call is inside; false when the deadline came first.
  bool AwaitEmpty(std::chrono::system_clock::time_point deadline);

 private:
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::int64_t inside_ = 0;
  bool closed_ = false;
  // By numbers above 0.
  std::map<std::uint64_t, std::function<void()>> leavers_;
  std::uint64_t last_number_ = 0;
};

}  // namespace thalweg::calls
