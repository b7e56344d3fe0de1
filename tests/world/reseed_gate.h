// Holds back the compilation of reseeded worlds.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "server/world/world_library.h"

namespace thalweg::world {

// Compiles worlds while it is open, and counts the calls.
class ReseedGate {
 public:
  // For the options of a library. The gate must outlive the library.
  ReseededWorlds::Reseed Reseed() {
    return [this](const World& world, std::uint64_t seed) {
      std::unique_lock lock(mutex_);
      ++compiled_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return open_; });
      return world.Reseeded(seed);
    };
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void Close() {
    const std::lock_guard lock(mutex_);
    open_ = false;
  }
  // Waits until a number of calls have begun.
  void AwaitCompiled(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return compiled_ >= count; });
  }
  int compiled() {
    const std::lock_guard lock(mutex_);
    return compiled_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = true;
  int compiled_ = 0;
};

}  // namespace thalweg::world
