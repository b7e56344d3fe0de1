// Counts over all sessions of a server.
#pragma once

#include <atomic>
#include <cstdint>

namespace thalweg::session {

struct SessionCounters {
  // Sessions that began, and those that have not ended.
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<std::int64_t> open = 0;
  // Tiles that were handed over, with their bytes; that the client had; that failed.
  std::atomic<std::uint64_t> tiles_sent = 0;
  std::atomic<std::uint64_t> tile_bytes_sent = 0;
  std::atomic<std::uint64_t> tiles_unchanged = 0;
  std::atomic<std::uint64_t> tiles_failed = 0;
  // How often a session stalled because its client had no credit left for tiles that it wants, and
  // how many are stalled now.
  std::atomic<std::uint64_t> credit_stalls = 0;
  std::atomic<std::int64_t> stalled = 0;
};

}  // namespace thalweg::session
