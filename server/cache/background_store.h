// A store with its own threads, for callers that must not wait for it.
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
#include "server/cache/tile_cache.h"
#include "server/cache/tile_store.h"

namespace thalweg::cache {

struct BackgroundStoreOptions {
  // The store's name in metrics: "disk", "shared".
  std::string level = "store";
  int load_threads = 2;
  // Max loads that wait. Further ones are answered without a tile.
  std::size_t max_waiting_loads = 4096;
  // Max bytes of tiles that wait to be saved. Further ones are dropped.
  std::size_t max_waiting_save_bytes = std::size_t{16} << 20;
  // A load that takes longer is answered without a tile.
  std::chrono::milliseconds patience{250};
  // Returns a loaded tile's facts, or an error if it is not the tile that was asked for: a bad
  // record. Null: the store's bytes are trusted, and have no facts. Called by the store's threads.
  std::function<absl::StatusOr<lod::TileFacts>(const TileId& id, std::string_view bytes)> check =
      {};
  // Called by the store's threads when the store begins to fail and when it works again.
  std::function<void(const std::string& name, const absl::Status& health)> on_health = {};
};

// Every load is counted in one of the first five, every save in one of the other three.
struct StoreStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t bad_records = 0;
  // The load failed, or was given up.
  std::uint64_t errors = 0;
  // The store was not asked: it failed lately, does not answer, or too many loads wait.
  std::uint64_t skipped = 0;

  std::uint64_t saves = 0;
  std::uint64_t save_errors = 0;
  // Not tried: too many saves wait, the tile is too large, or the store failed lately.
  std::uint64_t dropped_saves = 0;

  // Loads that were answered in time, and how long they took, summed over all threads.
  std::uint64_t loads_answered = 0;
  double load_seconds = 0;
  std::uint64_t loaded_bytes = 0;
  std::uint64_t saved_bytes = 0;
  // The bytes that the store holds now; 0 if this server can't know.
  std::size_t bytes = 0;
  std::size_t waiting_loads = 0;
  std::size_t waiting_saves = 0;
};

// Thread-safe. No call waits for the store. A store that hangs delays no load for longer than
// `patience`. An exception of the store counts as a failure and ends no thread.
class BackgroundStore {
 public:
  // Takes the tile; without one the tile must come from elsewhere, whatever the reason.
  using Done = absl::AnyInvocable<void(FinishedTile) &&>;

  // Throws std::system_error if the system makes too few threads.
  BackgroundStore(std::unique_ptr<TileStore> store, BackgroundStoreOptions options);
  // Calls Stop.
  ~BackgroundStore();

  BackgroundStore(const BackgroundStore&) = delete;
  BackgroundStore& operator=(const BackgroundStore&) = delete;

  // Calls `done` once, without any lock held: before it returns if the store is not asked, else on
  // one of the store's threads. `done` must neither wait nor throw.
  void Load(const TileId& id, Done done);

  // Saves the tile later, or drops it.
  void Save(const TileId& id, TileBytes bytes);

  // Answers waiting loads without a tile, finishes waiting saves, and returns when the store's
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
  // A load that a thread runs. Guarded by the mutex. `done` is null when it was answered.
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

  // A store without threads.
  struct Idle {};
  BackgroundStore(Idle, std::unique_ptr<TileStore> store, BackgroundStoreOptions options);

  void LoadLoop();
  void SaveLoop();
  struct Loaded {
    LoadOutcome outcome = LoadOutcome::kMiss;
    // Empty unless the load is a hit.
    FinishedTile tile;
  };

  // Both ask the store, and count an exception as its failure. Called without the lock.
  Loaded LoadChecked(const TileId& id);
  SaveOutcome SaveGuarded(const WaitingSave& save);
  void WatchLoop();
  // Returns with the lock held; `running` is invalid then.
  void Finish(std::unique_lock<std::mutex>& lock, std::list<RunningLoad>::iterator running,
              Loaded loaded);
  void CountLoad(const Loaded& loaded, Clock::duration duration);
  // Gives up overdue loads, and waiting ones too if every thread hangs.
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
  std::size_t stuck_ = 0;           // how many of them were given up
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
