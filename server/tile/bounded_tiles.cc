#include "server/tile/bounded_tiles.h"

#include <optional>

namespace thalweg::tile {

BoundedTiles::Ticket BoundedTiles::AskService(const TileQuery& query, AnyDone done,
                                              AnswerRoom::Share share) {
  if (auto* const contents = std::get_if<ContentsDone>(&done)) {
    return tiles_->GetContents(query, [done = std::move(*contents), share = std::move(share)](
                                          absl::StatusOr<TileContents> tile) mutable {
      if (tile.ok()) tile->Hold(std::move(share));
      // After an error the room is free before the caller asks again.
      share = AnswerRoom::Share();
      std::move(done)(std::move(tile));
    });
  }
  return tiles_->Get(query, [done = std::move(std::get<Done>(done)),
                             share = std::move(share)](absl::StatusOr<FinishedTile> tile) mutable {
    if (tile.ok()) {
      share.HoldAnyway(tile->size());
      tile->bytes = Holding(std::move(tile->bytes), std::move(share));
    }
    share = AnswerRoom::Share();
    std::move(done)(std::move(tile));
  });
}

BoundedTiles::Ticket BoundedTiles::Ask(const TileQuery& query, AnyDone done) {
  const std::size_t bytes = MaxAnswerBytes(query);
  if (std::optional<AnswerRoom::Share> share = room_.Try(query.client, bytes)) {
    return AskService(query, std::move(done), *std::move(share));
  }
  const auto late = std::make_shared<Late>(Late{query, std::move(done)});
  Ticket ticket{};
  {
    const std::lock_guard lock(mutex_);
    ticket = next_late_++;
    late_.emplace(ticket, late);
  }
  const AnswerRoom::Ticket for_room = room_.Await(
      query.client, bytes,
      [this, ticket, late](AnswerRoom::Share share) { AskLate(ticket, *late, std::move(share)); });
  const std::lock_guard lock(mutex_);
  late->for_room = for_room;
  return ticket;
}

void BoundedTiles::AskLate(Ticket ticket, Late& late, AnswerRoom::Share share) {
  AnyDone answer = std::visit(
      [this, ticket](auto& done) -> AnyDone {
        using Callback = std::decay_t<decltype(done)>;
        return Callback([this, ticket, done = std::move(done)](auto tile) mutable {
          {
            const std::lock_guard lock(mutex_);
            late_.erase(ticket);
          }
          std::move(done)(std::move(tile));
        });
      },
      late.done);
  const Ticket for_tile = AskService(late.query, std::move(answer), std::move(share));
  bool cancelled = false;
  {
    const std::lock_guard lock(mutex_);
    late.for_tile = for_tile;
    cancelled = late.cancelled;
  }
  // It was cancelled while the service was being asked.
  if (cancelled) tiles_->Cancel(for_tile);
}

void BoundedTiles::Cancel(Ticket ticket) {
  if (ticket < kFirstLate) return tiles_->Cancel(ticket);
  std::shared_ptr<Late> late;
  Ticket for_tile = TileService::kAnswered;
  bool withdrawn = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = late_.find(ticket);
    if (found == late_.end()) return;
    late = found->second;
    late->cancelled = true;
    for_tile = late->for_tile;
    // The room's thread never waits for this lock while it holds its own.
    withdrawn = room_.Withdraw(late->for_room);
    if (withdrawn) late_.erase(found);
  }
  if (for_tile != TileService::kAnswered) return tiles_->Cancel(for_tile);
  if (!withdrawn) return;
  const absl::Status status =
      absl::CancelledError("get a tile: cancelled, since its caller waits for it no more");
  std::visit([&status](auto& done) { std::move(done)(status); }, late->done);
}

}  // namespace thalweg::tile
