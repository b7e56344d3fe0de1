// The tiles that a session has asked for and not sent yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/field/field.h"
#include "server/tile/tile_service.h"

namespace thalweg::session {

// The max number of tiles under way, and of their bytes: the cost of a client that stops reading.
// Tiles count uncompressed.
inline constexpr std::size_t kSessionWindowTiles = 64;
inline constexpr std::size_t kSessionWindowBytes = std::size_t{64} << 20;

// A tile is asked for; when its answer comes it is ready, until it is taken to be sent. Not
// thread-safe.
class TilesUnderWay {
 public:
  using Ticket = tile::TileService::Ticket;
  using Condition = absl::FunctionRef<bool(const wire::TileKey&)>;
  struct Ready {
    wire::TileKey key;
    cache::FinishedTile tile;
  };

  // How many layers each tile has. Until it is known, no tile may be asked for.
  void SetLayers(std::size_t layers);
  bool IsFull() const { return tiles_.size() >= max_; }

  // Adds a tile that is about to be asked for. If it was asked for before, that question is given
  // up. Gives the number of the new question.
  std::uint64_t Ask(const wire::TileKey& key, field::Priority priority);
  // The ticket of a question that was asked.
  void SetTicket(const wire::TileKey& key, std::uint64_t number, Ticket ticket);
  // A question's answer: the tile is ready, or gone if it is an error. False, and nothing changes,
  // if the question was given up.
  bool Answer(const wire::TileKey& key, std::uint64_t number,
              const absl::StatusOr<cache::FinishedTile>& tile);
  // Takes the ready tile that was asked for first. Tiles whose parent is asked for wait for it: the
  // client can do nothing with them, and a tile may be encoded before its parent.
  std::optional<Ready> TakeReady();
  // Removes tiles, asked for or ready.
  void GiveUp(Condition condition);
  // The tickets of questions that were given up, to be cancelled without a lock.
  std::vector<Ticket> TakeGivenUp() { return std::exchange(given_up_, {}); }

  // The priority at which a tile was asked for, unless it is ready.
  std::optional<field::Priority> AskedAt(const wire::TileKey& key) const;
  bool Has(const wire::TileKey& key) const { return tiles_.contains(key); }
  bool HasAny(Condition condition) const;
  std::size_t size() const { return tiles_.size(); }
  std::size_t ready() const { return ready_; }
  std::size_t asked() const { return tiles_.size() - ready_; }
  std::size_t given_up() const { return given_up_.size(); }

 private:
  struct Tile {
    // Of the question; tells its answer from an earlier question's.
    std::uint64_t number = 0;
    field::Priority priority = field::Priority::kInteractive;
    Ticket ticket = tile::TileService::kAnswered;
    // Without bytes until it is ready.
    cache::FinishedTile finished = {};

    bool IsReady() const { return finished.bytes != nullptr; }
  };

  // The tile, if this question waits for its answer.
  Tile* Find(const wire::TileKey& key, std::uint64_t number);

  std::size_t max_ = 0;
  std::uint64_t next_number_ = 1;
  absl::flat_hash_map<wire::TileKey, Tile> tiles_;
  std::size_t ready_ = 0;
  std::vector<Ticket> given_up_;
};

}  // namespace thalweg::session
