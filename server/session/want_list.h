// Tiles that a client has named.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "proto/wire/tile_key.h"
#include "server/field/field.h"

namespace thalweg::session {

// The most tiles that may be wanted at a time.
inline constexpr std::size_t kMostWants = 65'536;

// Not thread-safe.
class WantList {
 public:
  // Wants a tile, after those that are wanted with the same priority. One that is wanted already
  // keeps its place, unless it has become more urgent. RESOURCE_EXHAUSTED when that is one too
  // many.
  absl::Status Add(const wire::TileKey& key, field::Priority priority);
  // The tile is wanted no more: it was cancelled, has been sent or can't be had.
  void Remove(const wire::TileKey& key) { wanted_.erase(key); }
  void Clear() { wanted_.clear(); }
  bool IsEmpty() const { return wanted_.empty(); }

  bool Has(const wire::TileKey& key) const { return wanted_.contains(key); }
  // The next tile of a priority that was not taken yet. It stays wanted.
  std::optional<wire::TileKey> Take(field::Priority priority);

 private:
  static constexpr std::size_t kPriorities = 3;

  std::array<std::deque<wire::TileKey>, kPriorities> queues_;
  // Each with the queue in which its place counts.
  absl::flat_hash_map<wire::TileKey, field::Priority> wanted_;
};

}  // namespace thalweg::session
