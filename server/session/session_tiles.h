// The tiles of a session: those that its client asked for by name, those under way, and those
// that the client has.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/geometry/tile_tree.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/tile/tile_query.h"
#include "server/tile/tile_service.h"

namespace thalweg::session {

// The max number of wanted tiles, including refused ones whose answer is not sent yet.
inline constexpr std::size_t kMaxWants = wire::kMaxWantedTiles;

// Tiles that a client asked for by name. Not thread-safe. It never holds more than kMaxWants keys.
class WantList {
 public:
  // Adds a tile behind others of the same priority. A tile that is already wanted keeps its
  // position, unless its priority is now more urgent. RESOURCE_EXHAUSTED beyond the max.
  absl::Status Add(const wire::TileKey& key, tile::Priority priority);
  // Adds a tile that the world does not have. TakeRefused returns it as often as it was named.
  // RESOURCE_EXHAUSTED as Add.
  absl::Status Refuse(const wire::TileKey& key);
  // Removes a tile that was cancelled, was sent or has failed.
  void Remove(const wire::TileKey& key);
  // Forgets all tiles, and the refused ones.
  void Clear();
  bool IsEmpty() const { return wanted_.empty(); }

  bool Has(const wire::TileKey& key) const { return wanted_.contains(key); }
  // The next tile of a priority that was not taken yet. It remains wanted.
  std::optional<wire::TileKey> Take(tile::Priority priority);
  // The next tile that was refused.
  std::optional<wire::TileKey> TakeRefused();

  // How many tiles are wanted; how many of them were not taken; how many were refused.
  std::size_t wanted() const { return wanted_.size(); }
  std::size_t queued() const;
  std::size_t refused() const { return refused_.size(); }

 private:
  static constexpr std::size_t kPriorities = 3;
  using Queue = std::list<wire::TileKey>;

  struct Entry {
    tile::Priority priority;
    bool queued = false;
    Queue::iterator at = {};  // its position in the queue
  };

  absl::Status CheckRoom() const;
  Queue& QueueOf(tile::Priority priority) { return queues_[static_cast<std::size_t>(priority)]; }
  void Unqueue(Entry& entry);

  std::array<Queue, kPriorities> queues_;
  absl::flat_hash_map<wire::TileKey, Entry> wanted_;
  std::deque<wire::TileKey> refused_;
};

// The max number of tiles that failed a moment ago and are not asked for again for a while. If more
// fail, the next plan tries them again at once.
inline constexpr std::size_t kMaxFailedTiles = 16'384;

// Tiles that failed a moment ago. Not thread-safe.
class FailedTiles {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Holds a tile back until this time.
  void Add(const wire::TileKey& key, TimePoint until, TimePoint now);
  // Whether a tile is still held back.
  bool Holds(const wire::TileKey& key, TimePoint now) const;
  void Remove(const wire::TileKey& key) { until_.erase(key); }

  // How many of the tiles meet the condition.
  std::size_t Count(absl::FunctionRef<bool(const wire::TileKey&)> condition) const;
  std::size_t size() const { return until_.size(); }

 private:
  absl::flat_hash_map<wire::TileKey, TimePoint> until_;
  // When the table is full, tiles whose time is over are searched for only after this time.
  TimePoint search_at_;
};

// The max number of tiles under way, and of their uncompressed bytes: the memory that a client
// costs that stops reading.
inline constexpr std::size_t kSessionWindowTiles = 64;
inline constexpr std::size_t kSessionWindowBytes = std::size_t{64} << 20;

// The tiles that a session has asked for and not sent yet. A tile is asked for. When its answer
// comes it is ready, until it is taken to be sent. Not thread-safe.
class PendingTiles {
 public:
  using WaiterPtr = tile::TileSource::WaiterPtr;
  using Condition = absl::FunctionRef<bool(const wire::TileKey&)>;
  struct Ready {
    wire::TileKey key;
    tile::FinishedTile tile;
  };

  // Sets how many layers each tile has. Before that, no tile may be asked for.
  void SetLayers(std::size_t layers);
  bool IsFull() const { return tiles_.size() >= max_; }

  // Adds a tile that is about to be asked for. An earlier request for it is given up. Returns the
  // waiter of the new request.
  WaiterPtr Ask(const wire::TileKey& key, tile::Priority priority);
  // Takes the answer to a request: the tile is ready, or is removed if the answer is an error.
  // Returns false and changes nothing if the request was given up.
  bool Answer(const wire::TileKey& key, const tile::TileWaiter* waiter,
              absl::StatusOr<tile::FinishedTile> tile);
  // Takes the ready tile that was asked for first. A tile whose parent is still asked for waits for
  // it: without it the client can't use the tile, and a tile may be encoded before its parent.
  std::optional<Ready> TakeReady();
  // Removes the tiles that meet the condition, ready or not.
  void GiveUp(Condition condition);
  // The requests that were given up, for Cancel, which is called without a lock.
  std::vector<WaiterPtr> TakeGivenUp() { return std::exchange(given_up_, {}); }

  // The priority of the request for a tile that is not ready.
  std::optional<tile::Priority> AskedAt(const wire::TileKey& key) const;
  bool Has(const wire::TileKey& key) const { return tiles_.contains(key); }
  bool HasAny(Condition condition) const;
  std::size_t size() const { return tiles_.size(); }
  std::size_t ready() const { return ready_; }
  std::size_t asked() const { return tiles_.size() - ready_; }
  std::size_t given_up() const { return given_up_.size(); }

 private:
  struct Tile {
    // The requests' order.
    std::uint64_t number = 0;
    tile::Priority priority = tile::Priority::kInteractive;
    // Distinguishes the request's answer from those to earlier requests; null once it came.
    WaiterPtr waiter = nullptr;
    // Has no bytes until the tile is ready.
    tile::FinishedTile finished = {};

    bool IsReady() const { return finished.bytes != nullptr; }
  };

  std::size_t max_ = 0;
  std::uint64_t next_number_ = 1;
  absl::flat_hash_map<wire::TileKey, Tile> tiles_;
  std::size_t ready_ = 0;
  std::vector<WaiterPtr> given_up_;
};

// The max credit, even if a client grants more, so that sums can't overflow.
inline constexpr std::int64_t kMaxCreditTiles = std::int64_t{1} << 32;
inline constexpr std::int64_t kMaxCreditBytes = std::int64_t{1} << 48;

// The credit that is left. Not thread-safe.
class Credit {
 public:
  void Grant(std::uint32_t tiles, std::uint64_t bytes) {
    tiles_ = std::min(tiles_ + tiles, kMaxCreditTiles);
    const auto max_bytes = static_cast<std::uint64_t>(kMaxCreditBytes);
    bytes_ =
        std::min(bytes_ + static_cast<std::int64_t>(std::min(bytes, max_bytes)), kMaxCreditBytes);
  }
  // Spends credit for one tile. Bytes beyond the credit are owed: the credit becomes negative.
  void Spend(std::size_t bytes) {
    --tiles_;
    bytes_ -= static_cast<std::int64_t>(bytes);
  }
  // Whether one more tile may be sent, after `others` that are not sent yet.
  bool Allows(std::size_t others = 0) const {
    return bytes_ > 0 && static_cast<std::int64_t>(others) < tiles_;
  }

 private:
  std::int64_t tiles_ = 0;
  std::int64_t bytes_ = 0;
};

// The max number of tiles that a session's sent set has.
inline constexpr std::size_t kMaxSentTiles = wire::kMaxHadTiles;

// The tiles that a session's client has. Thread-safe: a plan reads it while the session continues.
class SentSet {
 public:
  // The client reports that it has kept a tile, and the tag is right. When the tile is needed, the
  // client is informed once. RESOURCE_EXHAUSTED beyond the max.
  absl::Status AddKept(const wire::TileKey& key, const lod::TileFacts& facts);
  // A tile was sent to the client. RESOURCE_EXHAUSTED beyond the max.
  absl::Status AddSent(const wire::TileKey& key, const lod::TileFacts& facts);
  // The client has dropped a tile.
  void Drop(const wire::TileKey& key);

  bool Has(const wire::TileKey& key) const;
  // The facts of a tile that the client has.
  std::optional<lod::TileFacts> FactsOf(const wire::TileKey& key) const;
  // True once for each kept tile: the client must be informed that the tile is needed.
  bool TakeUnannounced(const wire::TileKey& key);

  std::size_t size() const;

 private:
  struct Entry {
    lod::TileFacts facts;
    bool unannounced = false;
  };

  absl::Status Add(const wire::TileKey& key, const Entry& entry);

  mutable std::mutex mutex_;
  absl::flat_hash_map<wire::TileKey, Entry> tiles_;
};

// The sent set as a lod::FactsOf (proto/geometry). Used by one thread; the sent set must outlive
// it.
class SentFacts {
 public:
  explicit SentFacts(const SentSet& sent_set) : sent_(sent_set) {}

  const lod::TileFacts* operator()(const wire::TileKey& key) const {
    facts_ = sent_.FactsOf(key);
    return facts_ ? &*facts_ : nullptr;
  }

 private:
  const SentSet& sent_;
  mutable std::optional<lod::TileFacts> facts_;
};

}  // namespace thalweg::session
