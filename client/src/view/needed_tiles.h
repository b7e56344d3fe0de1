// Counts how often tiles were in memory before a camera needed them.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "proto/geometry/drawable.h"
#include "proto/geometry/selection.h"
#include "proto/wire/tile_key.h"

namespace thalweg {

// Tiles that failed, and when to ask for each again. Not thread-safe.
class PutOffTiles {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Postpones a tile: it is not asked for until then. Beyond kMaxFailed tiles, a tile is asked for
  // again with the next view.
  void PutOff(const wire::TileKey& key, Time until) {
    constexpr std::size_t kMaxFailed = 65'536;
    if (tiles_.size() >= kMaxFailed && !tiles_.contains(key)) return;
    tiles_[key] = until;
    soonest_ = std::min(soonest_.value_or(until), until);
  }

  bool Contains(const wire::TileKey& key) const { return tiles_.contains(key); }
  void Remove(const wire::TileKey& key) { tiles_.erase(key); }
  void Clear() { tiles_.clear(); }

  // When the next tile may be due; nothing if no tile is postponed.
  std::optional<Time> soonest() const { return soonest_; }

  // Removes the tiles that are due. Returns whether there may have been any.
  bool RemoveDue(Time now) {
    if (!soonest_ || now < *soonest_) return false;
    absl::erase_if(tiles_, [now](const auto& entry) { return entry.second <= now; });
    soonest_.reset();
    for (const auto& [key, at] : tiles_) soonest_ = std::min(soonest_.value_or(at), at);
    return true;
  }

 private:
  absl::flat_hash_map<wire::TileKey, Time> tiles_;
  std::optional<Time> soonest_;
};

// When a thread that chooses tiles should choose again. Its lock is held briefly and taken after
// any other, so that Wake never waits for a choice. The first choice is due at once. Thread-safe.
class ReplanSignal {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Says that there is a reason to choose again.
  void Wake() { Set(dirty_); }

  // Ends all waiting.
  void End() { Set(ended_); }

  // Waits until the next choice is due, from `earliest` to `latest`. False after End.
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

// A tile counts when a frame first needs it: to draw it, or to draw others. It counts again only
// after it has left memory. Not thread-safe.
class NeededTiles {
 public:
  // Counts the tiles of a new selection.
  void Need(const lod::Selection& selection, lod::IsLoaded is_loaded);
  // The tile has left memory.
  void Forget(const wire::TileKey& key) { seen_.erase(key); }
  // Forgets all tiles, but not the counts.
  void Clear() { seen_.clear(); }

  // Tiles that were needed, and how many of these were already in memory.
  std::uint64_t needed() const { return needed_; }
  std::uint64_t in_time() const { return in_time_; }
  // Returns how many tiles are remembered.
  std::size_t size() const { return seen_.size(); }

 private:
  absl::flat_hash_set<wire::TileKey> seen_;
  std::uint64_t needed_ = 0;
  std::uint64_t in_time_ = 0;
};

}  // namespace thalweg
