// Tiles from a cache, or loaded, or computed and encoded once, however many callers ask at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "server/cache/store_chain.h"
#include "server/cache/tile_cache.h"
#include "server/field/field.h"
#include "server/sharing/answer_room.h"
#include "server/sharing/threads.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// The tiles that the stores lacked a short while ago. Refused callers ask again until there is
// room; this saves asking disks and other machines each time. Bounded: the oldest entries are
// dropped first. Not thread-safe.
class StoreMisses {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kMaxTiles = 16'384;
  // Short, since another server may share the tile meanwhile.
  static constexpr std::chrono::seconds kLifetime{10};

  explicit StoreMisses(std::function<Clock::time_point()> now = &Clock::now)
      : now_(std::move(now)) {}

  // Records that the stores do not have the tile now.
  void Add(const cache::TileId& id);
  // Whether the stores did not have it, less than the lifetime ago.
  bool Contains(const cache::TileId& id) const;
  // The stores have the tile now.
  void Remove(const cache::TileId& id) { added_.erase(id); }

  std::size_t size() const { return added_.size(); }

 private:
  struct Entry {
    cache::TileId id;
    Clock::time_point added;
  };

  // Removes the oldest entry of the order, and the tile if it has no later entry.
  void DropOldest();

  const std::function<Clock::time_point()> now_;
  absl::flat_hash_map<cache::TileId, Clock::time_point> added_;
  // The oldest is first. Some entries are of tiles that were removed or added again.
  std::deque<Entry> order_;
};

struct TileServiceStats {
  std::uint64_t tiles_encoded = 0;
  // The time that all threads spent on encoding, and the bytes that they made.
  double encode_seconds = 0;
  std::uint64_t encoded_bytes = 0;
  // Tiles that came from a store.
  std::uint64_t tiles_loaded = 0;
  // Requests that joined a tile under way.
  std::uint64_t joined = 0;
  // Tiles under way.
  std::size_t flights = 0;
  // Tiles that wait for a thread to encode them.
  std::size_t waiting_to_encode = 0;
};

struct TileFlight;

// One caller's wait for a tile, from room to answer. The caller makes it before it asks, so that it
// can cancel at any time.
class TileWaiter {
  friend class TileService;
  enum class State { kIdle, kForRoom, kForTile, kAnswered, kCancelled };
  // What is needed until there is room.
  struct ForRoom {
    TileQuery query;
    sharing::AnswerRoom::Wish wish;
  };
  // Leaves kIdle by an exchange; all other changes are guarded by the service's mutex.
  std::atomic<State> state_ = State::kIdle;
  // Set before it leaves kIdle.
  bool wants_values_ = false;
  std::shared_ptr<Payer> payer_;
  absl::AnyInvocable<void(absl::StatusOr<TileContents>) &&> done_;
  // Set while it waits for room; null if there was room at once.
  std::unique_ptr<ForRoom> for_room_;
  // Set before it waits for its tile.
  sharing::AnswerRoom::Share share_;
  std::shared_ptr<TileFlight> flight_;
};

// Where tiles come from, for those who ask. Thread-safe.
class TileSource {
 public:
  // Called once, without any lock held: inside Get if the tile is in the cache or is refused,
  // inside Cancel, else by a thread of the service. Must neither wait nor throw. The tile holds its
  // room. Errors: CANCELLED after Cancel, the payer's, the field's, UNAVAILABLE after Stop, or
  // INTERNAL.
  using Done = absl::AnyInvocable<void(absl::StatusOr<TileContents>) &&>;
  using WaiterPtr = std::shared_ptr<TileWaiter>;

  virtual ~TileSource() = default;

  // Asks once for a waiter. The query must have been parsed: its world has its key. If the tile
  // must be generated, the first waiting caller whose payer agrees is charged; see TileBill.
  virtual void Get(const WaiterPtr& waiter, TileQuery query, Done done) = 0;
  // At any time, even before Get: `done` is called with CANCELLED unless it was called before. When
  // no waiter is left, the tile's computation is dropped.
  virtual void Cancel(const WaiterPtr& waiter) = 0;
  // Whether a caller that has not yet sent earlier tiles may ask for this one.
  virtual bool MayAskAhead(const TileQuery& query) const = 0;
};

// A request waits for room for its answer first, then for its tile: as one of the waiters of a
// flight, which is a tile on its way from stores or field.
class TileService final : public TileSource {
 public:
  struct Parts {
    std::unique_ptr<field::Field> field = nullptr;
    // Must outlive the service.
    cache::TileCache* cache = nullptr;
    // Asked for tiles that are not in the cache before the field is; null: no stores. Must outlive
    // the service.
    cache::StoreChain* stores = nullptr;
    int encode_threads = 1;
    // Room for the answers of all callers; null: no bound.
    std::unique_ptr<sharing::AnswerRoom> room = nullptr;
    // Remembers the tiles that the stores lack.
    StoreMisses misses = StoreMisses();
  };
  explicit TileService(Parts parts);
  // Calls Stop, and waits for stores and threads.
  ~TileService() override;

  TileService(const TileService&) = delete;
  TileService& operator=(const TileService&) = delete;

  void Get(const WaiterPtr& waiter, TileQuery query, Done done) override;
  void Cancel(const WaiterPtr& waiter) override;
  bool MayAskAhead(const TileQuery& query) const override;

  // Fails all waiters, and later ones, with UNAVAILABLE.
  void Stop();

  // Its threads, for other work on tiles that takes milliseconds.
  sharing::WorkerPool& workers() { return *pool_; }
  // Null if answers have no bound.
  sharing::AnswerRoom* room() const { return room_.get(); }

  TileServiceStats stats() const;
  field::FieldStats field_stats() const { return field_->stats(); }
  const field::Field& field() const { return *field_; }

 private:
  using State = TileWaiter::State;
  using Flight = TileFlight;
  using FlightPtr = std::shared_ptr<Flight>;

  // With room: answers from the cache, joins the tile's flight, or begins it.
  void Join(const WaiterPtr& waiter, const TileQuery& query,
            absl::StatusOr<sharing::AnswerRoom::Share> share);
  void AskStores(const FlightPtr& flight);
  void ReceiveStored(const FlightPtr& flight, FinishedTile tile);
  // Finds the first waiter whose payer agrees, and makes the bill to that payer. False if nobody
  // waits any more, or if no payer agrees: then each waiter gets its own error.
  bool FindPayer(const FlightPtr& flight);
  void AskField(const FlightPtr& flight);
  void ReceiveValues(const FlightPtr& flight, absl::StatusOr<field::TileValues> values);
  // Answers the waiters that want values. True if the bytes are needed too; else the flight ends.
  bool GiveValues(const FlightPtr& flight, const std::shared_ptr<const field::TileValues>& values);
  // An encoded tile, and how long encoding took.
  struct Encoded {
    FinishedTile tile;
    double seconds = 0;
  };
  void ReceiveEncoded(const FlightPtr& flight, const absl::StatusOr<Encoded>& encoded);
  // Ends the flight, and answers its waiters.
  void Land(const FlightPtr& flight, const absl::StatusOr<TileContents>& result);
  // Called with the lock held: nobody joins the flight any more. Returns its waiters.
  std::vector<WaiterPtr> End(Flight& flight);
  // Calls the callback, with a tile that holds its share.
  static void Answer(bool wants_values, sharing::AnswerRoom::Share share, Done done,
                     absl::StatusOr<TileContents> result);
  // The same for a waiter whose state says so.
  static void Answer(TileWaiter& waiter, absl::StatusOr<TileContents> result);

  const std::unique_ptr<field::Field> field_;
  cache::TileCache* const cache_;
  cache::StoreChain* const stores_;
  const std::unique_ptr<sharing::AnswerRoom> room_;

  mutable std::mutex mutex_;
  // The number of requests to the stores that are not answered yet; the destructor waits for them.
  std::size_t asked_stores_ = 0;
  std::condition_variable stores_answered_;
  absl::flat_hash_map<cache::TileId, FlightPtr> flights_;
  StoreMisses misses_;
  TileServiceStats stats_;

  // Last, so that its threads end before the members that they use are destroyed.
  std::unique_ptr<sharing::WorkerPool> pool_;
};

}  // namespace thalweg::tile
