// One computation for all who ask for the same at a time.
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace thalweg::sharing {

// Who asks first computes; the others wait for that. Thread-safe. Results may be kept elsewhere:
// then they are kept before the flight lands.
template <typename Key, typename Done>
class SingleFlight {
 public:
  // kFirst must compute, and then call Land. kKept: the result was kept meanwhile.
  enum class Place { kFirst, kJoined, kKept };
  // `is_kept`, which is called with the lock held, says whether the result is kept. If it is,
  // `done` stays with the caller; else it waits.
  template <typename IsKept>
  Place Join(const Key& key, Done& done, IsKept is_kept) {
    const std::lock_guard lock(mutex_);
    const bool is_first = !waiting_.contains(key);
    if (is_first && is_kept()) return Place::kKept;
    waiting_[key].push_back(std::move(done));
    return is_first ? Place::kFirst : Place::kJoined;
  }

  // Ends the flight of this key, and calls those who wait for it, without a lock.
  template <typename Result>
  void Land(const Key& key, const Result& result) {
    std::vector<Done> waiting;
    {
      const std::lock_guard lock(mutex_);
      waiting = std::move(waiting_.extract(key).mapped());
    }
    for (Done& done : waiting) std::move(done)(result);
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::vector<Done>> waiting_;
};

}  // namespace thalweg::sharing
