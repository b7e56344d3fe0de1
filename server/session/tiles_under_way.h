// The tiles that a session has asked for and not sent yet.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/tile/tile_query.h"
#include "server/tile/tile_service.h"

namespace thalweg::session {

// The max number of tiles that failed a moment ago and are not asked for again for a while. If more
// fail, the next plan tries them again at once.
inline constexpr std::size_t kMaxFailedTiles = 16'384;

// Not thread-safe.
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

// A tile is asked for. When its answer comes it is ready, until it is taken to be sent. Not
// thread-safe.
class TilesUnderWay {
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

}  // namespace thalweg::session
