// How much the sessions of a server hold together, and each caller's of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "server/field/queue_shares.h"

namespace thalweg::session {

// What a session keeps account of, for whatever reason, takes at most so many bytes a tile: a key
// in a table that has just grown, its place in a queue, and what the allocator adds.
inline constexpr std::size_t kEntryBytes = 144;

// Room for entries, shared as field::QueueShares says: one caller's sessions get half of it, those
// of two callers a third each, and there is always some for another one. The entries of sessions
// themselves are theirs; this only counts. Thread-safe.
class Room {
 public:
  explicit Room(std::size_t bytes) : entries_(bytes / kEntryBytes) {}

  // What one session holds; nothing any more when this is gone. Not thread-safe.
  class Share {
   public:
    // Null: there is room for everything. The room outlives the share.
    Share(Room* room, std::uint64_t caller) : room_(room), caller_(caller) {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Holds so many entries in all from now on. False if they are more than before and there is no
    // room for them: then it holds what it held.
    bool Hold(std::size_t entries);

   private:
    Room* const room_;
    const std::uint64_t caller_;
    std::size_t held_ = 0;
  };

 private:
  const std::size_t entries_;
  std::mutex mutex_;
  field::QueueShares shares_;
};

}  // namespace thalweg::session
