// Which responses a server may send in a session, given the client's messages.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "client/src/store/tile_folder.h"
#include "client/src/store/tile_memory.h"
#include "proto/geometry/surface.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// The tiles that a server may consider present at the client: in memory or on disk.
struct KnownTile {
  FiledTile tile;
  bool on_disk = false;
  // Whether it is being read from disk.
  bool reading = false;
};

// Known tiles by key. Not thread-safe.
class KnownTiles {
 public:
  KnownTile* Find(const wire::TileKey& key);
  const lod::TileFacts* FactsOf(const wire::TileKey& key) const;
  void Add(const FiledTile& tile, bool on_disk);
  void Remove(const wire::TileKey& key) { tiles_.erase(key); }
  void Clear() { tiles_.clear(); }
  std::size_t size() const { return tiles_.size(); }

  // Returns at most `max` tiles that are on disk but not in memory, in any order.
  std::vector<wire::TileKey> OnDiskAlone(std::size_t max, const TileMemory& memory) const;

  // Returns all tiles as messages, a few thousand in each.
  std::vector<v1::SessionRequest> HaveMessages() const;

 private:
  absl::flat_hash_map<wire::TileKey, KnownTile> tiles_;
};

// Adds one tile to such a message.
void AddHave(const FiledTile& tile, v1::HaveTiles& have);

// Returns messages that report tiles as dropped; none for no tiles.
std::vector<v1::SessionRequest> DropMessages(const std::vector<wire::TileKey>& keys);
// Returns messages that ask for tiles by name.
std::vector<v1::SessionRequest> WantMessages(const std::vector<wire::TileKey>& keys);

// The credit that a client grants to a server. Renews used credit in portions, because a message
// for every tile would be too many. Not thread-safe.
class GrantedCredit {
 public:
  GrantedCredit(std::uint32_t tiles, std::uint64_t bytes) : tiles_(tiles), bytes_(bytes) {}

  // A session begins: all credit must be granted again.
  void Restart() {
    used_tiles_ = tiles_;
    used_bytes_ = bytes_;
  }

  // Counts the credit that a tile used.
  void Use(std::uint64_t bytes) {
    ++used_tiles_;
    used_bytes_ += bytes;
  }

  // Returns the used credit, to be granted again, if it is worth a message.
  std::optional<v1::SessionRequest> Grant() {
    if (used_tiles_ < Portion(tiles_) && used_bytes_ < Portion(bytes_)) return std::nullopt;
    v1::SessionRequest request;
    request.mutable_credit()->set_tiles(used_tiles_);
    request.mutable_credit()->set_bytes(used_bytes_);
    used_tiles_ = 0;
    used_bytes_ = 0;
    return request;
  }

 private:
  // A quarter, rounded up.
  template <typename Number>
  static Number Portion(Number whole) {
    return whole / 4 + (whole % 4 == 0 ? 0 : 1);
  }

  const std::uint32_t tiles_;
  const std::uint64_t bytes_;
  std::uint32_t used_tiles_ = 0;
  std::uint64_t used_bytes_ = 0;
};

// Tiles must be within the credit. Tiles, failures and unchanged tiles must lie on ground that a
// view reaches, or have been asked for by name; on a planet a view reaches all. Only a view that
// was sent can settle. The memory used does not depend on the server. Not thread-safe.
class SessionRules {
 public:
  // A session of a world begins.
  void Begin(const lod::WorldGrid& grid);

  // The client sends this message.
  void Sent(const v1::SessionRequest& request);

  // Checks a response after `opened`. INTERNAL if it is not allowed.
  absl::Status Received(const v1::SessionResponse& response);

  // Returns how many tiles were asked for by name and are not answered yet.
  std::size_t wanted() const { return wanted_.size(); }

 private:
  // In metres; empty by default.
  struct Square {
    double west = 1;
    double north = 1;
    double east = 0;
    double south = 0;
    bool empty() const { return west > east; }
    void Add(const Square& other);
  };

  void SentView(const v1::View& view);
  absl::Status ReceivedTile(const v1::Tile& tile);
  absl::Status ReceivedSettled(const v1::ViewSettled& settled);
  // Whether a view of a planet was sent.
  bool ReachesPlanet() const;
  absl::Status CheckAskedFor(const v1::TileKey& message);

  lod::WorldGrid grid_;
  std::int64_t credit_tiles_ = 0;
  std::int64_t credit_bytes_ = 0;
  std::uint64_t last_view_ = 0;
  // The ground that views reach. It includes all views since the last but one settled view, because
  // tiles for them may be on their way.
  Square reached_;
  Square reached_before_;
  Square last_reached_;
  absl::flat_hash_set<wire::TileKey> wanted_;
};

}  // namespace thalweg
