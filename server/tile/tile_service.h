// Tiles from a cache, or computed and encoded once, however many callers ask at a time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "server/cache/store_chain.h"
#include "server/cache/tile_cache.h"
#include "server/field/field.h"
#include "server/sharing/worker_pool.h"
#include "server/tile/store_misses.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

using cache::FinishedTile;

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

// Thread-safe. Owns the field and the encoding threads; the cache and the stores must outlive it.
class TileService {
 public:
  // A request under way, for Cancel. kAnswered: `done` was already called.
  using Ticket = std::uint64_t;
  static constexpr Ticket kAnswered = 0;

  // Called once, without any lock held: inside Get if the tile is in the cache or is refused, else
  // by a thread of the service. Must neither wait nor throw. Errors: CANCELLED after Cancel, the
  // payer's, the field's, or INTERNAL.
  using Done = absl::AnyInvocable<void(absl::StatusOr<FinishedTile>) &&>;
  // As Done, for callers that need numbers.
  using ContentsDone = absl::AnyInvocable<void(absl::StatusOr<TileContents>) &&>;

  // Tiles that are not in the cache are looked up in the stores before the field is asked; null: no
  // stores. `misses` remembers the tiles that the stores lack.
  TileService(std::unique_ptr<field::Field> field, cache::TileCache* cache, int encode_threads,
              cache::StoreChain* stores = nullptr, StoreMisses misses = StoreMisses());
  // Calls Stop.
  ~TileService();

  TileService(const TileService&) = delete;
  TileService& operator=(const TileService&) = delete;

  // Asks for a tile. The query must have been parsed: its world has its key. If the tile must be
  // generated, the first waiting caller whose payer agrees is charged; see TileBill.
  Ticket Get(const TileQuery& query, Done done) { return Ask(query, std::move(done)); }

  // As Get, for a tile's values. The tile is encoded only if another caller wants its bytes or
  // there are stores to save it. The query must be of exact precision.
  Ticket GetContents(const TileQuery& query, ContentsDone done) {
    return Ask(query, std::move(done));
  }

  // Withdraws a request: `done` is called with CANCELLED unless it was called before. When no
  // request waits for the tile any more, its computation is dropped.
  void Cancel(Ticket ticket);

  // Fails the waiting requests with UNAVAILABLE.
  void Stop();

  // Its threads, for other work on tiles that takes milliseconds.
  sharing::WorkerPool& workers() { return *pool_; }

  TileServiceStats stats() const;
  field::FieldStats field_stats() const { return field_->stats(); }
  const field::Field& field() const { return *field_; }

 private:
  using AnyDone = std::variant<Done, ContentsDone>;
  struct Waiter {
    Ticket ticket;
    std::shared_ptr<Payer> payer;
    AnyDone done;
  };
  struct Flight;
  using FlightPtr = std::shared_ptr<Flight>;

  static void Answer(AnyDone done, const absl::StatusOr<FinishedTile>& result);

  Ticket Ask(const TileQuery& query, AnyDone done);
  // Finds the first waiter whose payer agrees, and makes the bill to that payer. False if the
  // attempt is stale, or if no payer agrees: then each waiter gets its own error.
  bool FindPayer(const FlightPtr& flight, std::uint64_t attempt);
  // Ends a flight and returns its waiters. Called with the lock held.
  std::vector<Waiter> TakeWaiters(Flight& flight);
  void AskStores(const FlightPtr& flight, std::uint64_t attempt);
  void TakeStored(const FlightPtr& flight, std::uint64_t attempt, FinishedTile tile);
  void AskField(const FlightPtr& flight, std::uint64_t attempt, field::Priority priority);
  void TakeValues(const FlightPtr& flight, std::uint64_t attempt,
                  absl::StatusOr<field::TileValues> values);
  // Answers the waiters that want values. True if the bytes are needed too; else the flight ends.
  bool GiveValues(const FlightPtr& flight, const std::shared_ptr<const field::TileValues>& values);
  // An encoded tile, and how long encoding took.
  struct Encoded {
    FinishedTile tile;
    double seconds = 0;
  };
  void TakeEncoded(const FlightPtr& flight, const absl::StatusOr<Encoded>& encoded);
  void Land(const FlightPtr& flight, const absl::StatusOr<FinishedTile>& result);

  const std::unique_ptr<field::Field> field_;
  cache::TileCache* const cache_;
  cache::StoreChain* const stores_;

  mutable std::mutex mutex_;
  // The number of requests to the stores that are not answered yet; the destructor waits for them.
  std::size_t asked_stores_ = 0;
  std::condition_variable stores_answered_;
  Ticket next_ticket_ = kAnswered + 1;
  absl::flat_hash_map<cache::TileId, FlightPtr> flights_;
  absl::flat_hash_map<Ticket, FlightPtr> tickets_;
  StoreMisses misses_;
  TileServiceStats stats_;

  // Last, so that its threads end before the members that they use are destroyed.
  std::unique_ptr<sharing::WorkerPool> pool_;
};

}  // namespace thalweg::tile
