#include "server/raster/raster_service.h"

#include <chrono>
#include <utility>

#include "proto/wire/status_macros.h"
#include "server/raster/layer_grid.h"
#include "server/raster/render.h"
#include "server/tile/tile_fan_in.h"
#include "server/tile/tile_query.h"

namespace thalweg::raster {

using TileQueries = std::vector<tile::TileQuery>;

namespace {

// The bytes, which hold as much room as they take.
RasterBytes HoldingItsSize(RasterBytes bytes, sharing::AnswerRoom::Share share) {
  share.HoldAnyway(bytes->size());
  return sharing::Holding(std::move(bytes), std::move(share));
}

}  // namespace

// Waits for a raster's tiles. Each request asks for them, so that each caller pays or is refused;
// the tile service makes them once. Keeps itself alive until they have come.
class RasterService::Gathering final : public Question {
 public:
  static std::shared_ptr<Gathering> Create(RasterService* service, Recipe recipe, Done done) {
    auto gathering = std::make_shared<Gathering>(service, std::move(recipe), std::move(done));
    gathering->self_ = gathering;
    return gathering;
  }

  Gathering(RasterService* service, Recipe recipe, Done done)
      : service_(service),
        recipe_(std::move(recipe)),
        done_(std::move(done)),
        fan_in_(
            service->tiles_,
            [this](std::size_t k, absl::StatusOr<tile::TileContents> contents) {
              if (!contents.ok()) return contents.status();
              tiles_[k] = *std::move(contents);
              return absl::OkStatus();
            },
            [this](const absl::Status& status) { End(status); }) {}

  // Takes milliseconds for tiles of a planet. CANCELLED after Cancel.
  absl::StatusOr<TileQueries> FindTiles() {
    THALWEG_RETURN_IF_ERROR(fan_in_.status());
    return recipe_.tiles();
  }

  // Asks for room for all the tiles at once, or reports the error of finding them. If each tile
  // waited for room, rasters could wait for each other with half of their tiles.
  void Ask(absl::StatusOr<TileQueries> found) {
    if (!found.ok()) return fan_in_.End(found.status());
    std::size_t bytes = 0;
    for (const tile::TileQuery& query : *found) bytes += tile::MaxAnswerBytes(query);
    service_->tiles_->room()->Await(
        wish_, recipe_.client, bytes,
        [gathering = self_, found = *std::move(found)](auto share) mutable {
          gathering->AskTiles(std::move(found), std::move(share));
        });
  }

  void Cancel() override {
    fan_in_.Stop(
        absl::CancelledError("make a raster: cancelled, since no caller waits for it any more"));
    service_->tiles_->room()->Withdraw(wish_);
  }

 private:
  void AskTiles(TileQueries queries, absl::StatusOr<sharing::AnswerRoom::Share> share) {
    if (!share.ok()) return fan_in_.End(share.status());
    share_ = *std::move(share);
    // Another caller's raster may be finished by now.
    finished_ = service_->cache_.Find(recipe_.identity);
    const std::size_t count = finished_ == nullptr ? queries.size() : 0;
    tiles_.resize(count);
    fan_in_.AskAll(count, [queries = std::move(queries)](std::size_t k) {
      tile::TileQuery query = queries[k];
      query.wants_values = true;
      query.has_room = true;
      return query;
    });
  }

  void End(const absl::Status& status) {
    const std::shared_ptr<Gathering> held = std::move(self_);
    // `done` may own the owner of this.
    Done done = std::move(done_);
    if (!status.ok()) {
      // Whoever asked may keep this for longer.
      share_ = sharing::AnswerRoom::Share();
      return std::move(done)(status);
    }
    if (finished_ != nullptr) {
      return std::move(done)(HoldingItsSize(std::move(finished_), std::move(share_)));
    }
    // The share goes from the tiles to the raster.
    service_->Make(std::move(recipe_), std::move(tiles_),
                   [done = std::move(done),
                    share = std::move(share_)](absl::StatusOr<RasterBytes> bytes) mutable {
                     if (bytes.ok()) bytes = HoldingItsSize(*std::move(bytes), std::move(share));
                     std::move(done)(std::move(bytes));
                   });
  }

  RasterService* const service_;
  Recipe recipe_;
  Done done_;
  Tiles tiles_;
  RasterBytes finished_;
  sharing::AnswerRoom::Share share_;
  sharing::AnswerRoom::Wish wish_;
  tile::TileFanIn fan_in_;
  std::shared_ptr<Gathering> self_;
};

std::shared_ptr<RasterService::Question> RasterService::Get(Recipe recipe, Done done) {
  const std::uint64_t client = recipe.client;
  const RasterBytes hit = cache_.Find(recipe.identity);
  if (hit != nullptr) {
    if (auto share = tiles_->room()->Try(client, hit->size())) {
      std::move(done)(HoldingItsSize(hit, *std::move(share)));
      return nullptr;
    }
  }
  // Checked before its tiles are asked for: else their cost would be in vain.
  if (hit == nullptr && recipe.payer != nullptr) {
    if (absl::Status refusal = recipe.payer->MayGenerate(); !refusal.ok()) {
      std::move(done)(std::move(refusal));
      return nullptr;
    }
  }
  auto gathering = Gathering::Create(this, std::move(recipe), std::move(done));
  pool_.Post(
      client, "find tiles", [gathering] { return gathering->FindTiles(); },
      [gathering](absl::StatusOr<TileQueries> found) { gathering->Ask(std::move(found)); });
  return gathering;
}

void RasterService::Make(Recipe recipe, Tiles tiles, Done done) {
  const std::string identity = recipe.identity;
  if (!making_.Join(identity, std::move(done), cache_)) return;
  // Making it costs as much as a tile whose block is kept.
  if (recipe.payer != nullptr) tile::TileBill(recipe.payer).Add(0);
  const std::uint64_t client = recipe.client;
  pool_.Post(
      client, "make raster",
      [recipe = std::move(recipe), tiles = std::move(tiles)] { return MakeRaster(recipe, tiles); },
      [this, identity](const absl::StatusOr<Made>& made) { OnMade(identity, made); });
}

absl::StatusOr<RasterService::Made> RasterService::MakeRaster(const Recipe& recipe,
                                                              const Tiles& tiles) {
  const auto start = std::chrono::steady_clock::now();
  THALWEG_ASSIGN_OR_RETURN(std::string bytes, recipe.make(tiles));
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
  return Made{std::make_shared<const std::string>(std::move(bytes)), duration.count()};
}

void RasterService::OnMade(const std::string& identity, const absl::StatusOr<Made>& made) {
  if (made.ok()) {
    // An estimate: list and map nodes, strings and reference count.
    constexpr std::size_t kEntryOverheadBytes = 320;
    cache_.Insert(identity, made->bytes,
                  made->bytes->capacity() + 2 * identity.capacity() + kEntryOverheadBytes);
  }
  if (made.ok()) {
    const std::lock_guard lock(mutex_);
    ++stats_.rendered;
    stats_.render_seconds += made->seconds;
  }
  making_.Land(identity, made.ok() ? absl::StatusOr<RasterBytes>(made->bytes) : made.status());
}

RasterServiceStats RasterService::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace thalweg::raster
