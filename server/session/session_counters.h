// Counters over all sessions of a server.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace thalweg::session {

struct SessionCounters {
  // Sessions that began, and those that are open now.
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<std::int64_t> open = 0;
  // Tiles that were sent, with their bytes; that the client had; that failed.
  std::atomic<std::uint64_t> tiles_sent = 0;
  std::atomic<std::uint64_t> tile_bytes_sent = 0;
  std::atomic<std::uint64_t> tiles_unchanged = 0;
  std::atomic<std::uint64_t> tiles_failed = 0;
  // How often a session stalled because its client had no credit for tiles that it wants, and how
  // many sessions are stalled now.
  std::atomic<std::uint64_t> credit_stalls = 0;
  std::atomic<std::int64_t> stalled = 0;
};

// Counts one session as open, and as stalled if it is, until End. Not thread-safe.
class CountedSession {
 public:
  explicit CountedSession(SessionCounters& counters) : counters_(counters) {
    ++counters_.begun;
    ++counters_.open;
  }

  void SetStalled(bool stalled) {
    if (std::exchange(stalled_, stalled) == stalled) return;
    counters_.stalled += stalled ? 1 : -1;
    if (stalled) ++counters_.credit_stalls;
  }
  // Called once. The counters may be destroyed after this.
  void End() {
    SetStalled(false);
    --counters_.open;
  }

 private:
  SessionCounters& counters_;
  bool stalled_ = false;
};

}  // namespace thalweg::session
