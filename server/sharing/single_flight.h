// One computation for all who ask for the same at a time.
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "server/sharing/lru_cache.h"

namespace thalweg::sharing {

// Who asks first computes; the others wait for that. Thread-safe. A result that is to be kept is
// kept before the flight lands.
template <typename Key, typename Done>
class SingleFlight {
 public:
  // Whether the caller must compute, and then call Land, which calls `done`. Else `done` is called
  // by another caller's Land, or here with what `kept` has.
  template <typename Value>
  bool Join(const Key& key, Done done, LruCache<Key, Value>& kept) {
    Value found{};
    {
      const std::lock_guard lock(mutex_);
      const bool is_first = !waiting_.contains(key);
      // With the lock held: else a result that comes meanwhile would be computed twice.
      if (is_first) found = kept.Find(key);
      if (found == Value()) {
        waiting_[key].push_back(std::move(done));
        return is_first;
      }
    }
    std::move(done)(std::move(found));
    return false;
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
