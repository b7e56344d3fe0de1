// How many entries the sessions of a server hold together, and how many those of each caller hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "server/field/queue_shares.h"

namespace thalweg::session {

// The max bytes of a session's entry, a tile in its tables: a key in a table that has just grown,
// its position in a queue, and the allocator's overhead.
inline constexpr std::size_t kEntryBytes = 144;

// Room for entries, shared as by field::QueueShares: one caller's sessions get half of it, those of
// two callers a third each, and some is always left for another caller. It only counts entries; the
// sessions hold them. Thread-safe.
class Room {
 public:
  explicit Room(std::size_t bytes) : entries_(bytes / kEntryBytes) {}

  // The entries that one session holds; given back by the destructor. Not thread-safe.
  class Share {
   public:
    // The room must outlive the share.
    Share(Room& room, std::uint64_t caller) : room_(room), caller_(caller) {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Sets how many entries are held. Returns false and changes nothing if there is no room for
    // further entries.
    bool Hold(std::size_t entries);

   private:
    Room& room_;
    const std::uint64_t caller_;
    std::size_t held_ = 0;
  };

 private:
  const std::size_t entries_;
  std::mutex mutex_;
  field::QueueShares shares_;
};

}  // namespace thalweg::session
