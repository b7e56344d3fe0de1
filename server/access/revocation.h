// Ends long calls when their caller's access is revoked, or the server stops.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "absl/status/status.h"

namespace thalweg::access {

// Thread-safe. Must outlive its watches.
class Revocation {
 public:
  // Ends a call with an error.
  using Leave = std::function<void(const absl::Status& why)>;

  // Keeps a callback registered until the watch is destroyed.
  class Watch {
   public:
    Watch() = default;
    Watch(Watch&& other) noexcept
        : revocation_(std::exchange(other.revocation_, nullptr)), number_(other.number_) {}
    Watch& operator=(Watch&& other) noexcept {
      std::swap(revocation_, other.revocation_);
      std::swap(number_, other.number_);
      return *this;
    }
    ~Watch() {
      if (revocation_ != nullptr) Forget();
    }

   private:
    friend class Revocation;
    Watch(Revocation* revocation, std::uint64_t number)
        : revocation_(revocation), number_(number) {}
    void Forget();

    Revocation* revocation_ = nullptr;
    std::uint64_t number_ = 0;
  };

  // Calls `leave` once, on the thread that revokes; before it returns if access is already revoked.
  // `leave` may be called while the watch is destroyed, and may destroy the watch.
  [[nodiscard]] Watch OnRevoke(Leave leave);

  // Calls all registered callbacks. Only the first reason is used.
  void Revoke(const absl::Status& why);

 private:
  std::mutex mutex_;
  absl::Status why_;  // OK if not revoked
  std::map<std::uint64_t, Leave> leavers_;
  std::uint64_t last_number_ = 0;
};

}  // namespace thalweg::access
