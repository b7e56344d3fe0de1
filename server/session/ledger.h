// The tiles that a session's client has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "proto/lod/tile_tree.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"

namespace thalweg::session {

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

// The max number of tiles that a session's ledger has.
inline constexpr std::size_t kMaxLedgerTiles = wire::kMaxHadTiles;

// Thread-safe: a plan reads it while the session continues.
class Ledger {
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
  bool TakeUntold(const wire::TileKey& key);

  std::size_t size() const;

 private:
  struct Entry {
    lod::TileFacts facts;
    bool untold = false;
  };

  absl::Status Add(const wire::TileKey& key, const Entry& entry);

  mutable std::mutex mutex_;
  absl::flat_hash_map<wire::TileKey, Entry> tiles_;
};

// The ledger as a lod::FactsOf (proto/lod). Used by one thread; the ledger must outlive it.
class LedgerFacts {
 public:
  explicit LedgerFacts(const Ledger& ledger) : ledger_(ledger) {}

  const lod::TileFacts* operator()(const wire::TileKey& key) const {
    facts_ = ledger_.FactsOf(key);
    return facts_ ? &*facts_ : nullptr;
  }

 private:
  const Ledger& ledger_;
  mutable std::optional<lod::TileFacts> facts_;
};

}  // namespace thalweg::session
