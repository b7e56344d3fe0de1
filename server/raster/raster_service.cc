#include "server/raster/raster_service.h"

#include <chrono>
#include <optional>
#include <utility>

#include "proto/wire/status_macros.h"
#include "server/raster/grid.h"
#include "server/raster/render.h"

namespace thalweg::raster {

using tile::TileService;
using TileQueries = std::vector<tile::TileQuery>;

// Waits for a raster's tiles. Each who asks has tiles asked for, so that each pays or is refused
// for themselves; the tile service makes them once.
class RasterService::Gathering final : public Question,
                                       public std::enable_shared_from_this<Gathering> {
 public:
  Gathering(RasterService* service, Recipe recipe, Done done)
      : service_(service), recipe_(std::move(recipe)), done_(std::move(done)) {}

  // Takes milliseconds where they lie anywhere on a planet. CANCELLED when nobody waits any more.
  absl::StatusOr<TileQueries> FindTiles() {
    {
      const std::lock_guard lock(mutex_);
      if (!status_.ok()) return status_;
    }
    return recipe_.tiles();
  }

  // Asks for the tiles, or tells why they are not known.
  void Ask(const absl::StatusOr<TileQueries>& found) {
    if (!found.ok()) return Leave(found.status());
    const TileQueries& queries = *found;
    {
      const std::lock_guard lock(mutex_);
      tiles_.resize(queries.size(), tile::TileContents(cache::TileBytes()));
      left_ += queries.size();
    }
    for (std::size_t k = 0; k < queries.size(); ++k) {
      const TileService::Ticket ticket = service_->tiles_->GetContents(
          queries[k], [held = shared_from_this(), k](absl::StatusOr<tile::TileContents> contents) {
            held->Take(k, std::move(contents));
          });
      bool unwanted = false;
      {
        const std::lock_guard lock(mutex_);
        tickets_.push_back(ticket);
        unwanted = !status_.ok();
      }
      if (unwanted) service_->tiles_->Cancel(ticket);
    }
    Leave(absl::OkStatus());
  }

  void Cancel() override {
    CancelTiles(
        absl::CancelledError("make a raster: cancelled, since no caller waits for it any more"));
  }

 private:
  void Take(std::size_t k, absl::StatusOr<tile::TileContents> contents) {
    const absl::Status status = contents.status();
    if (status.ok()) {
      const std::lock_guard lock(mutex_);
      tiles_[k] = *std::move(contents);
    }
    if (!status.ok()) CancelTiles(status);
    Leave(status);
  }

  // The first error counts.
  void CancelTiles(const absl::Status& reason) {
    std::vector<TileService::Ticket> tickets;
    {
      const std::lock_guard lock(mutex_);
      status_.Update(reason);
      tickets.swap(tickets_);
    }
    for (const TileService::Ticket ticket : tickets) service_->tiles_->Cancel(ticket);
  }

  void Leave(const absl::Status& status) {
    std::optional<Done> done;
    absl::Status outcome;
    {
      const std::lock_guard lock(mutex_);
      status_.Update(status);
      if (--left_ > 0) return;
      done = std::move(done_);
      outcome = status_;
    }
    if (!outcome.ok()) return std::move(*done)(outcome);
    service_->Make(std::move(recipe_), std::move(tiles_), *std::move(done));
  }

  RasterService* const service_;
  Recipe recipe_;

  std::mutex mutex_;
  Done done_;
  // One more than there are tiles, so that none of them is the last before all are asked for.
  std::size_t left_ = 1;
  absl::Status status_;
  std::vector<TileService::Ticket> tickets_;
  Tiles tiles_;
};

std::shared_ptr<RasterService::Question> RasterService::Get(Recipe recipe, Done done) {
  if (RasterBytes hit = cache_.Find(recipe.identity)) {
    std::move(done)(std::move(hit));
    return nullptr;
  }
  auto gathering = std::make_shared<Gathering>(this, std::move(recipe), std::move(done));
  pool_.Post(
      "find tiles", [gathering] { return gathering->FindTiles(); },
      [gathering](const absl::StatusOr<TileQueries>& found) { gathering->Ask(found); });
  return gathering;
}

void RasterService::Make(Recipe recipe, Tiles tiles, Done done) {
  const std::string identity = recipe.identity;
  std::unique_lock lock(mutex_);
  if (const auto found = waiting_.find(identity); found != waiting_.end()) {
    found->second.push_back(std::move(done));
    return;
  }
  // A raster is put in the cache before nobody waits for it any more: it may have been made while
  // these tiles came.
  if (RasterBytes hit = cache_.Find(identity)) {
    lock.unlock();
    return std::move(done)(std::move(hit));
  }
  waiting_[identity].push_back(std::move(done));
  lock.unlock();
  pool_.Post(
      "make raster",
      [recipe = std::move(recipe), tiles = std::move(tiles)] { return MakeRaster(recipe, tiles); },
      [this, identity](const absl::StatusOr<Made>& made) { TakeMade(identity, made); });
}

absl::StatusOr<RasterService::Made> RasterService::MakeRaster(const Recipe& recipe,
                                                              const Tiles& tiles) {
  const auto start = std::chrono::steady_clock::now();
  THALWEG_ASSIGN_OR_RETURN(std::string bytes, recipe.make(tiles));
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
  return Made{std::make_shared<const std::string>(std::move(bytes)), duration.count()};
}

void RasterService::TakeMade(const std::string& identity, const absl::StatusOr<Made>& made) {
  if (made.ok()) cache_.Insert(identity, made->bytes);
  std::vector<Done> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_[identity]);
    waiting_.erase(identity);
    if (made.ok()) {
      ++stats_.rendered;
      stats_.render_seconds += made->seconds;
    }
  }
  const auto result = made.ok() ? absl::StatusOr<RasterBytes>(made->bytes) : made.status();
  for (Done& answer : waiting) std::move(answer)(result);
}

RasterServiceStats RasterService::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace thalweg::raster
