// The tile service for callers, each within its room for answers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_map.h"
#include "server/tile/answer_room.h"
#include "server/tile/tile_query.h"
#include "server/tile/tile_service.h"

namespace thalweg::tile {

// As TileService, but each tile has room before it is asked for, and holds the room until its bytes
// or values are used no more. A request without room waits. Thread-safe.
class BoundedTiles {
 public:
  using Ticket = TileService::Ticket;
  using Done = TileService::Done;
  using ContentsDone = TileService::ContentsDone;

  // The service must outlive it. No request may be under way when it is destroyed.
  // on_release: see AnswerRoom.
  BoundedTiles(TileService* tiles, std::size_t bytes, std::function<void()> on_release = nullptr)
      : tiles_(tiles), room_(bytes, std::move(on_release)) {}

  // As in TileService. `done` may also be called by the room's thread.
  Ticket Get(const TileQuery& query, Done done) { return Ask(query, std::move(done)); }
  Ticket GetContents(const TileQuery& query, ContentsDone done) {
    return Ask(query, std::move(done));
  }
  void Cancel(Ticket ticket);

  // For callers that ask for a tile while they have not yet sent earlier ones.
  bool MayAskAhead(const TileQuery& query) const {
    return room_.MayAskAhead(query.client, MaxAnswerBytes(query));
  }

  TileService& tiles() const { return *tiles_; }
  AnswerRoom& room() { return room_; }
  const AnswerRoom& room() const { return room_; }

 private:
  using AnyDone = std::variant<Done, ContentsDone>;
  // A request that had to wait for room.
  struct Late {
    TileQuery query;
    AnyDone done;
    // Guarded by the lock, as the next ones.
    AnswerRoom::Ticket for_room = 0;
    // kAnswered until the service was asked.
    Ticket for_tile = TileService::kAnswered;
    bool cancelled = false;
  };

  Ticket Ask(const TileQuery& query, AnyDone done);
  // Asks the service. `done` gets the tile, which holds the share.
  Ticket AskService(const TileQuery& query, AnyDone done, AnswerRoom::Share share);
  // Asks for a tile that had to wait.
  void AskLate(Ticket ticket, Late& late, AnswerRoom::Share share);

  TileService* const tiles_;

  std::mutex mutex_;
  Ticket next_late_ = kFirstLate;
  absl::flat_hash_map<Ticket, std::shared_ptr<Late>> late_;

  // Last, so that its thread ends before the members that it uses are destroyed.
  AnswerRoom room_;

  // The tickets of requests that had to wait; those of the service are smaller.
  static constexpr Ticket kFirstLate = Ticket{1} << 63;
};

}  // namespace thalweg::tile
