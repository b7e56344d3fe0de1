#include "server/field/tile_reader.h"

#include <bit>

#include "proto/wire/status_macros.h"

namespace thalweg::field {
namespace {

// The position of a tile in its block, in tiles.
struct Position {
  int column = 0;
  int row = 0;
  // Row-major.
  std::size_t index = 0;
};

Position PositionIn(const TileRead& read) {
  const int tiles = read.block->shape().block_cells >> wire::kTileBits;
  Position position;
  position.column = static_cast<int>(read.key.x & (tiles - 1));
  position.row = static_cast<int>(read.key.y & (tiles - 1));
  position.index = static_cast<std::size_t>(position.row) * static_cast<std::size_t>(tiles) +
                   static_cast<std::size_t>(position.column);
  return position;
}

backend::Cut CutOf(const TileRead& read) {
  const Position position = PositionIn(read);
  const int first = read.block->shape().apron - read.margin;
  const int side = wire::kTileVertices + 2 * read.margin;
  return {read.block.get(),
          {first + position.column * wire::kTileCells, first + position.row * wire::kTileCells,
           side, side},
          read.layers,
          read.window};
}

}  // namespace

void WaitingReads::Enter(std::uint64_t client) {
  const auto found = waiting_.find(client);
  if (found == waiting_.end() || held_back_.contains(client)) return;
  next_.emplace(*found->second.begin(), client);
}

void WaitingReads::Leave(std::uint64_t client) {
  const auto found = waiting_.find(client);
  if (found != waiting_.end()) next_.erase({*found->second.begin(), client});
}

void WaitingReads::Add(Priority priority, Id id, std::uint64_t client) {
  Leave(client);
  waiting_[client].emplace(priority, id);
  Enter(client);
}

void WaitingReads::Remove(Priority priority, Id id, std::uint64_t client) {
  const auto found = waiting_.find(client);
  if (found == waiting_.end()) return;
  Leave(client);
  found->second.erase({priority, id});
  if (found->second.empty()) {
    waiting_.erase(found);
    held_back_.erase(client);
  }
  Enter(client);
}

void WaitingReads::Clear() {
  waiting_.clear();
  next_.clear();
  held_back_.clear();
}

std::optional<Priority> WaitingReads::Best() const {
  if (next_.empty()) return std::nullopt;
  return next_.begin()->first.first;
}

std::vector<WaitingReads::Id> WaitingReads::Take(std::size_t max,
                                                 absl::FunctionRef<bool(Id)> fits) {
  std::vector<Id> taken;
  const std::optional<Priority> best = Best();
  while (taken.size() < max && best && Best() == best) {
    const auto [place, client] = *next_.begin();
    const auto [priority, id] = place;
    if (fits(id)) {
      taken.push_back(id);
      Remove(priority, id, client);
    } else {
      Leave(client);
      held_back_.insert(client);
    }
  }
  return taken;
}

void WaitingReads::Release() {
  const auto released = std::exchange(held_back_, {});
  for (const std::uint64_t client : released) Enter(client);
}

world::BlockKey BlockOf(const wire::TileKey& tile, int block_cells) {
  // A row of a block has a power of two of tiles: the shift rounds down for negative tiles too.
  const int shift = std::countr_zero(static_cast<unsigned>(block_cells)) - wire::kTileBits;
  return {tile.face, tile.level, tile.x >> shift, tile.y >> shift};
}

absl::StatusOr<std::vector<TileValues>> ReadTiles(backend::Backend& backend,
                                                  std::span<const TileRead> reads) {
  std::vector<backend::Cut> cuts;
  for (const TileRead& read : reads) cuts.push_back(CutOf(read));
  THALWEG_ASSIGN_OR_RETURN(std::vector<backend::CutValues> cut_values, backend.ReadCuts(cuts));
  std::vector<TileValues> tiles;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    TileValues& values = tiles.emplace_back();
    values.planes = std::move(cut_values[i].planes);
    values.geometric_error = cut_values[i].deviations.at(PositionIn(reads[i]).index);
  }
  return tiles;
}

}  // namespace thalweg::field
