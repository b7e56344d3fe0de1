// A store behind threads of its own, for callers that must not wait for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/cache/finished_tile.h"
#include "server/cache/tile_store.h"

namespace thalweg::cache {

struct BackgroundStoreOptions {
  // The store's name in metrics: "disk", "shared".
  std::string level = "store";
  int load_threads = 2;
  // How many loads may wait; more are answered with nothing.
  std::size_t max_waiting_loads = 4096;
  // Bytes of saves that may wait, of tiles that may be evicted elsewhere; more are dropped.
  std::size_t max_waiting_save_bytes = std::size_t{16} << 20;
  // A load that runs for longer is answered with nothing.
  std::chrono::milliseconds patience{250};
  // The facts of a loaded tile, or an error if it is not what was asked for: that counts as a bad
  // record. Null: the store's bytes are trusted and have no facts. Called by the store's threads.
  std::function<absl::StatusOr<lod::TileFacts>(const TileId& id, std::string_view bytes)> check =
      {};
  // Called by the store's threads when it begins to fail and when it works again.
  std::function<void(const std::string& name, const absl::Status& health)> on_health = {};
};

// Every load is one of the first five, every save one of the other three.
struct StoreStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t bad_records = 0;
  // Failed, or was given up.
  std::uint64_t errors = 0;
  // Not asked: the store has failed lately or does not answer, or too many loads wait.
  std::uint64_t skipped = 0;

  std::uint64_t saves = 0;
  std::uint64_t save_errors = 0;
  // Not tried: too many saves wait, the tile is too large, or the store has failed lately.
  std::uint64_t dropped_saves = 0;

  // Loads that it answered in time, and how long they took, all threads together.
  std::uint64_t loads_answered = 0;
  double load_seconds = 0;
  std::uint64_t loaded_bytes = 0;
  std::uint64_t saved_bytes = 0;
  // The bytes that the store keeps now; 0 if this server can't know.
  std::size_t bytes = 0;
  std::size_t waiting_loads = 0;
  std::size_t waiting_saves = 0;
};

// Thread-safe. No call waits for the store, and a store that hangs delays no load beyond the
// patience. An exception in the store counts as a failure and ends no thread.
class BackgroundStore {
 public:
  // Gets the tile, or none, for whatever reason: the tile must then come from elsewhere.
  using Done = absl::AnyInvocable<void(FinishedTile) &&>;

  BackgroundStore(std::unique_ptr<TileStore> store, BackgroundStoreOptions options);
  // Stops.
  ~BackgroundStore();

  BackgroundStore(const BackgroundStore&) = delete;
  BackgroundStore& operator=(const BackgroundStore&) = delete;

  // Calls `done` once, without any lock held: at once when the store is not asked, else by one of
  // the store's threads. It must not wait, nor throw.
  void Load(const TileId& id, Done done);

  // Saves some time later, or drops the tile.
  void Save(const TileId& id, TileBytes bytes);

  // Answers waiting loads with nothing, finishes waiting saves, and returns when the store's
  // running calls have returned. Later calls do not reach the store.
  void Stop();

  const std::string& name() const { return store_->name(); }
  const std::string& level() const { return options_.level; }
  absl::Status health() const;
  StoreStats stats() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct WaitingLoad {
    TileId id;
    Done done;
  };
  // A load that a thread is running. Guarded by the mutex; `done` is null once it was answered.
  struct RunningLoad {
    Done done;
    Clock::time_point begun;
    Clock::time_point deadline;
    bool given_up = false;
  };
  struct WaitingSave {
    TileId id;
    TileBytes bytes;
  };

  void LoadLoop();
  void SaveLoop();
  struct Loaded {
    LoadOutcome outcome = LoadOutcome::kMiss;
    // None unless it is a hit.
    FinishedTile tile;
  };

  // Ask the store; an exception counts as its failure. Called without the lock.
  Loaded LoadChecked(const TileId& id);
  SaveOutcome SaveGuarded(const WaitingSave& save);
  void WatchLoop();
  // Returns with the lock held; `running` is not valid any more.
  void Finish(std::unique_lock<std::mutex>& lock, std::list<RunningLoad>::iterator running,
              Loaded loaded);
  void CountLoad(const Loaded& loaded, Clock::duration duration);
  // Gives up overdue loads, and waiting ones when every thread hangs.
  std::vector<Done> TakeOverdue();
  bool all_stuck() const { return stuck_ == static_cast<std::size_t>(options_.load_threads); }
  absl::Status HealthLocked() const;
  void TellHealth();

  const std::unique_ptr<TileStore> store_;
  const BackgroundStoreOptions options_;

  mutable std::mutex mutex_;
  std::condition_variable load_wake_;
  std::condition_variable save_wake_;
  std::condition_variable watch_wake_;
  bool stopping_ = false;
  std::deque<WaitingLoad> waiting_loads_;
  std::list<RunningLoad> running_;  // the oldest first
  std::size_t stuck_ = 0;           // of them, those that were given up
  std::deque<WaitingSave> waiting_saves_;
  std::size_t waiting_save_bytes_ = 0;
  StoreStats stats_;

  // Held while on_health is called: one call at a time, so that the last one is current.
  std::mutex health_mutex_;
  bool told_healthy_ = true;

  std::vector<std::thread> threads_;
  std::thread watch_;
};

}  // namespace thalweg::cache
