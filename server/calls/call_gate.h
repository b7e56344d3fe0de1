// Lets calls in until the server stops, and reports when the last one has left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "absl/status/status.h"

namespace thalweg::calls {

// Thread-safe. Must outlive the calls inside.
class CallGate {
 public:
  // Lets a call in, which must Leave later. UNAVAILABLE once the gate is closed.
  absl::Status Enter();
  // A call leaves. number: the one that OnClose returned; 0 if OnClose was not called.
  void Leave(std::uint64_t number = 0);
  // Sets a function for a call that would not leave by itself. It is called once, by the thread
  // that closes the gate; inside OnClose if the gate is closed. It may run while the call leaves.
  std::uint64_t OnClose(std::function<void()> leave);

  void Close();
  bool is_open() const;
  // Waits until no call is inside. False if the deadline came first.
  bool AwaitEmpty(std::chrono::system_clock::time_point deadline);

 private:
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::int64_t inside_ = 0;
  bool closed_ = false;
  // By number, from 1.
  std::map<std::uint64_t, std::function<void()>> leavers_;
  std::uint64_t last_number_ = 0;
};

}  // namespace thalweg::calls
