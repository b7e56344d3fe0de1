// Lets calls in until the server stops, and tells when the last one has left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"

namespace thalweg::calls {

// Thread-safe. Outlives its passes.
class CallGate {
 public:
  // A call that is inside; it leaves when this is destroyed.
  class Pass {
   public:
    explicit Pass(CallGate* gate) : gate_(gate) {}
    Pass(Pass&& other) noexcept
        : gate_(std::exchange(other.gate_, nullptr)), number_(other.number_) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (gate_ != nullptr) gate_->Leave(number_);
    }

    // Called once, by whoever closes the gate (at once if it is closed), for calls that would not
    // leave by themselves. It may come while the call leaves, and must not destroy the pass.
    void OnClose(std::function<void()> leave);

   private:
    CallGate* gate_;
    std::uint64_t number_ = 0;
  };

  // UNAVAILABLE once the gate is closed.
  absl::StatusOr<Pass> Enter();
  void Close();
  bool is_open() const;
  // Waits until nobody is inside; false when the deadline came first.
  bool AwaitEmpty(std::chrono::system_clock::time_point deadline);

 private:
  void Leave(std::uint64_t number);

  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::int64_t inside_ = 0;
  bool closed_ = false;
  // Of passes with a number above 0.
  std::map<std::uint64_t, std::function<void()>> leavers_;
  std::uint64_t last_number_ = 0;
};

}  // namespace thalweg::calls
