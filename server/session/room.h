// How many entries the sessions of a server hold together, and those of each caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "server/field/queue_shares.h"

namespace thalweg::session {

// The most bytes of a session's entry, that is, of a tile that it keeps account of: a key in a
// table that has just grown, its place in a queue, and the allocator's overhead.
inline constexpr std::size_t kEntryBytes = 144;

// Room for entries, shared as field::QueueShares says: one caller's sessions get half of it, those
// of two callers a third each, and there is always some for another one. Only counts entries: the
// sessions hold them. Thread-safe.
class Room {
 public:
  explicit Room(std::size_t bytes) : entries_(bytes / kEntryBytes) {}

  // What one session holds; given back when this is destroyed. Not thread-safe.
  class Share {
   public:
    // Null: no limit. The room outlives the share.
    Share(Room* room, std::uint64_t caller) : room_(room), caller_(caller) {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Sets how many entries are held. False, and unchanged, if they are more than before and there
    // is no room for them.
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
