// Lets calls in until the server stops, and tells when the last one has left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"

namespace thalweg::rpc {

// Thread-safe. Outlives its passes.
class CallGate {
 public:
  // A call that is inside; it leaves when this is destroyed.
  class Pass {
   public:
    explicit Pass(CallGate* gate) : gate_(gate) {}
    Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (gate_ != nullptr) gate_->Leave();
    }

   private:
    CallGate* gate_;
  };

  // UNAVAILABLE once the gate is closed.
  absl::StatusOr<Pass> Enter();
  void Close();
  // Waits until nobody is inside; false when the deadline came first.
  bool AwaitEmpty(std::chrono::system_clock::time_point deadline);

 private:
  void Leave();

  std::mutex mutex_;
  std::condition_variable empty_;
  std::int64_t inside_ = 0;
  bool closed_ = false;
};

}  // namespace thalweg::rpc
