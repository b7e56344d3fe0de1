// How often and after which pauses a call is made again.
#pragma once

#include <algorithm>
#include <chrono>

namespace thalweg {

// The longest time that a view waits before its next attempt, even if a server asks for more.
inline constexpr std::chrono::milliseconds kLongestDelay = std::chrono::hours(1);

// Counts the failed attempts of one call. Not thread-safe.
class Backoff {
 public:
  Backoff(int max_attempts, std::chrono::milliseconds first, std::chrono::milliseconds max)
      : max_attempts_(max_attempts), first_(first), max_(max), next_(first) {}

  // Counts a failed attempt. True if another one may follow, after Pause().
  bool Fail() { return ++failed_ < max_attempts_; }

  // The pause before the next attempt: twice the last one, up to the maximum.
  std::chrono::milliseconds Pause() {
    const std::chrono::milliseconds pause = std::min(next_, max_);
    next_ = std::min(next_ * 2, max_);
    return pause;
  }

  // Starts from zero, because the call has made progress.
  void Reset() {
    failed_ = 0;
    next_ = first_;
  }

  int failed() const { return failed_; }

 private:
  int max_attempts_;
  std::chrono::milliseconds first_;
  std::chrono::milliseconds max_;
  std::chrono::milliseconds next_;
  int failed_ = 0;
};

}  // namespace thalweg
