// The cost of a tile that is generated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "proto/wire/tile_key.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// A tile costs the cells of the blocks that are computed for it, ancestors included; at least its
// own 65,536, since reading and encoding it is work too. Not thread-safe.
class TileBill {
 public:
  explicit TileBill(std::shared_ptr<Payer> payer) : payer_(std::move(payer)) {}

  // Adds cells that the field computes for the tile. Called again if it must compute more.
  void Add(std::int64_t cells) {
    computed_ += cells;
    const std::int64_t cost = std::max(computed_, kOwnCells);
    if (cost > charged_) payer_->Charge(cost - std::exchange(charged_, cost));
  }

 private:
  static constexpr std::int64_t kOwnCells = std::int64_t{wire::kTileCells} * wire::kTileCells;

  const std::shared_ptr<Payer> payer_;
  std::int64_t computed_ = 0;
  std::int64_t charged_ = 0;
};

}  // namespace thalweg::tile
