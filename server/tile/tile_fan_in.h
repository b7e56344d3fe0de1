// Tiles of one request: asked for in order, gathered as they come, cancelled together.
#pragma once

#include <cstddef>
#include <limits>
#include <mutex>

#include "absl/container/inlined_vector.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/tile/tile_service.h"

namespace thalweg::tile {

// Asks for tiles that the owner numbers, passes on each as it comes, and reports the end. The first
// error withdraws the tiles under way and becomes the status of `done`. Thread-safe. Must live
// until `done` is called.
class TileFanIn {
 public:
  // Takes the nth tile or its error; an error that it returns ends the whole fan-in. Called by any
  // thread, for several tiles at a time, and inside AskAll if the tile is in the cache. Must
  // neither wait nor throw. Not called for withdrawn tiles.
  using Take =
      absl::AnyInvocable<absl::Status(std::size_t n, absl::StatusOr<TileContents> tile) const>;
  // Called once with the first error, when every tile has come or was withdrawn and no more are
  // asked for: perhaps inside one of the functions below, as their last act. Take is not called
  // after it. It may destroy the fan-in.
  using Done = absl::AnyInvocable<void(const absl::Status&) &&>;
  using QueryOf = absl::AnyInvocable<TileQuery(std::size_t n) const>;

  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  TileFanIn(TileSource* tiles, Take take, Done done);

  // Asks once for tiles 0 to count - 1, in order, and then for no more. No more than `ahead` of
  // them are asked for and not released, and only one while the caller has no room for more.
  void AskAll(std::size_t count, QueryOf query_of, std::size_t ahead = kAll);
  // One more tile was used up; asks for others. After an error or the end it does nothing.
  void Release();

  // Asks for no more tiles. Those under way still come; then `done` gets the first error, if any.
  void End(const absl::Status& status = absl::OkStatus());
  // Withdraws every tile; `why` becomes the error of the whole fan-in. It ends, if AskAll was
  // called; else that ends it, or End.
  void Stop(const absl::Status& why);

  // The first error so far.
  absl::Status status() const;

 private:
  struct Asked {
    std::size_t n;
    TileSource::WaiterPtr waiter;
  };
  using UnderWay = absl::InlinedVector<Asked, 1>;

  void AskAhead();
  void Receive(std::size_t n, absl::StatusOr<TileContents> tile);
  void Leave();

  TileSource* const tiles_;
  const Take take_;

  mutable std::mutex mutex_;
  Done done_;
  // Does not change while tiles are left to ask for.
  QueryOf query_of_;
  std::size_t count_ = 0;
  std::size_t ahead_ = 0;
  std::size_t asked_ = 0;
  std::size_t released_ = 0;
  // The number of tiles that neither came nor were withdrawn, plus one until no more are asked for,
  // and one for each thread that asks.
  std::size_t left_ = 1;
  UnderWay under_way_;
  absl::Status status_;
  bool asking_ = false;
  bool stopped_ = false;
  bool ended_ = false;
};

}  // namespace thalweg::tile
