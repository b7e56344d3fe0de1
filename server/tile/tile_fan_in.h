// Tiles of one request: asked for one by one, gathered as they come, cancelled together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <type_traits>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/tile/tile_service.h"

namespace thalweg::tile {

// Asks for tiles that the owner numbers, passes on each as it comes, and reports the end.
//
//     tiles.Ask(0, query);
//     tiles.Ask(1, other_query);
//     tiles.End();
//
// The first error withdraws the tiles under way and becomes the status of `done`. Thread-safe. Must
// live until `done` is called, and while a function of it runs. Tile is FinishedTile or
// TileContents.
template <typename Tile, typename Tiles = TileService>
class TileFanIn {
 public:
  // Takes the nth tile or its error; an error that it returns ends the whole fan-in. Called by any
  // thread, for several tiles at a time, and inside Ask if the tile is in the cache. Must neither
  // wait nor throw. Not called for withdrawn tiles.
  using Take = absl::AnyInvocable<absl::Status(std::size_t n, absl::StatusOr<Tile> tile) const>;
  // Called once with the first error, when End was called and every tile has come or was withdrawn.
  // Take is not called after it. It may destroy the fan-in.
  using Done = absl::AnyInvocable<void(const absl::Status&) &&>;

  TileFanIn(Tiles* tiles, Take take, Done done)
      : tiles_(tiles), take_(std::move(take)), done_(std::move(done)) {}

  // Asks for a tile; each number may be used once. Does nothing after End or Stop.
  void Ask(std::size_t n, const TileQuery& query) {
    {
      const std::lock_guard lock(mutex_);
      if (ended_ || stopped_) return;
      ++left_;
      under_way_.push_back({n, TileService::kAnswered});
    }
    const auto receive = [this, n](absl::StatusOr<Tile> tile) { Receive(n, std::move(tile)); };
    TileService::Ticket ticket{};
    if constexpr (std::is_same_v<Tile, TileContents>) {
      ticket = tiles_->GetContents(query, receive);
    } else {
      ticket = tiles_->Get(query, receive);
    }
    if (ticket == TileService::kAnswered) return;
    {
      const std::lock_guard lock(mutex_);
      if (const auto asked = Find(n); asked != under_way_.end()) {
        asked->ticket = ticket;
        return;
      }
    }
    // Withdrawn before its ticket was known, or answered: then Cancel does nothing.
    tiles_->Cancel(ticket);
  }

  // Says that no more tiles are asked for. Tiles under way still come; then `done` gets the first
  // error, if any.
  void End(const absl::Status& status = absl::OkStatus()) {
    {
      const std::lock_guard lock(mutex_);
      status_.Update(status);
      if (std::exchange(ended_, true)) return;
    }
    Leave();
  }

  // Withdraws every tile; `why` becomes the error of the whole fan-in.
  void Stop(const absl::Status& why) {
    UnderWay withdrawn;
    {
      const std::lock_guard lock(mutex_);
      status_.Update(why);
      stopped_ = true;
      withdrawn.swap(under_way_);
    }
    for (const Asked& asked : withdrawn) tiles_->Cancel(asked.ticket);
  }

  // The first error so far.
  absl::Status status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  struct Asked {
    std::size_t n;
    // kAnswered until the ticket is known.
    TileService::Ticket ticket;
  };
  using UnderWay = absl::InlinedVector<Asked, 1>;

  typename UnderWay::iterator Find(std::size_t n) {
    return std::find_if(under_way_.begin(), under_way_.end(),
                        [n](const Asked& asked) { return asked.n == n; });
  }

  void Receive(std::size_t n, absl::StatusOr<Tile> tile) {
    bool wanted = false;
    {
      const std::lock_guard lock(mutex_);
      if (const auto asked = Find(n); asked != under_way_.end()) {
        under_way_.erase(asked);
        wanted = true;
      }
    }
    if (wanted) {
      const absl::Status taken = take_(n, std::move(tile));
      if (!taken.ok()) Stop(taken);
    }
    Leave();
  }

  void Leave() {
    absl::Status status;
    Done done;
    {
      const std::lock_guard lock(mutex_);
      if (--left_ > 0) return;
      status = status_;
      done = std::move(done_);
    }
    std::move(done)(status);
  }

  Tiles* const tiles_;
  const Take take_;

  mutable std::mutex mutex_;
  Done done_;
  // The number of tiles that neither came nor were withdrawn, plus one until End is called.
  std::size_t left_ = 1;
  UnderWay under_way_;
  absl::Status status_;
  bool ended_ = false;
  bool stopped_ = false;
};

}  // namespace thalweg::tile
