// When a thread that chooses tiles should choose again.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace thalweg {

// Its lock is held briefly and taken after any other, so that Wake never waits for a choice. The
// first turn is due at once. Thread-safe.
class Turns {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Says that there is a reason to choose again.
  void Wake() { Set(dirty_); }

  // Ends the turns.
  void End() { Set(ended_); }

  // Waits for the next turn, from `earliest` to `latest`. False when the turns have ended.
  bool Await(Time earliest, Time latest) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, earliest, [this] { return ended_; });
    changed_.wait_until(lock, latest, [this] { return ended_ || dirty_; });
    dirty_ = false;
    return !ended_;
  }

 private:
  void Set(bool& what) {
    const std::lock_guard lock(mutex_);
    what = true;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool dirty_ = true;
  bool ended_ = false;
};

}  // namespace thalweg
