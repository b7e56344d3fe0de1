#include "server/http/tile_call.h"

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/access/revocation.h"
#include "server/http/ask_later.h"
#include "server/http/caching.h"
#include "server/http/content_coding.h"
#include "server/http/find_world.h"
#include "server/http/handlers.h"
#include "server/raster/raster_service.h"

namespace thalweg::http {
namespace {

// The recipe for an answer that is not a native tile.
raster::Recipe RecipeFor(const TileAddress& address) {
  raster::Recipe recipe = address.recipe(address.tile_query);
  recipe.client = address.tile_query.client;
  recipe.payer = address.tile_query.payer;
  if (address.coding == Coding::kIdentity) return recipe;
  // The answer is compressed where it is made, and cached in that form.
  recipe.identity = address.identity;
  recipe.make = [make = std::move(recipe.make), coding = address.coding](
                    std::span<const tile::TileContents> tiles) -> absl::StatusOr<std::string> {
    THALWEG_ASSIGN_OR_RETURN(const std::string plain, make(tiles));
    return Encode(plain, coding, Effort::kQuick);
  };
  return recipe;
}

// A tile under way, on the thread of its exchange. Callbacks that it waits for hold it.
class TileCall : public std::enable_shared_from_this<TileCall> {
 public:
  TileCall(const Site& site, ExchangePointer exchange, TileAddress address, Response answer)
      : tiles_(site.engine.tiles),
        rasters_(site.rasters),
        exchange_(std::move(exchange)),
        address_(std::move(address)),
        answer_(std::move(answer)) {}

  void Start() {
    Ask();
    if (answered_) return;
    // A revoked caller gets no more answers. If only the token's terms changed, this call
    // continues, since map clients would not ask again.
    watch_ = exchange_->admission().caller().revocation().OnRevoke(
        [weak = weak_from_this()](const absl::Status& why) {
          const auto call = weak.lock();
          if (call == nullptr || !absl::IsUnauthenticated(why)) return;
          call->exchange_->Run([call, why] { call->exchange_->Cancel(why); });
        });
  }

 private:
  using Done = absl::AnyInvocable<void(absl::StatusOr<Body>) &&>;

  void Ask() {
    exchange_->OnCancel([call = weak_from_this()] {
      if (const auto held = call.lock()) held->Cancel();
    });
    if (address_.recipe == nullptr) {
      // A request that is asked again needs a new waiter.
      waiter_ = std::make_shared<tile::TileWaiter>();
      tiles_->Get(waiter_, address_.tile_query,
                  [take = Taking()](absl::StatusOr<tile::TileContents> tile) mutable {
                    if (!tile.ok()) return std::move(take)(tile.status());
                    std::move(take)((*std::move(tile)).finished().bytes);
                  });
    } else {
      question_ = rasters_->Get(RecipeFor(address_), Taking());
    }
  }

  // Returns a callback for the services, which they call on any thread.
  Done Taking() {
    // It holds the call, which must live until Receive runs on the exchange's thread.
    return [call = shared_from_this()](absl::StatusOr<Body> bytes) {
      call->exchange_->Run(
          [call, bytes = std::move(bytes)]() mutable { call->Receive(std::move(bytes)); });
    };
  }

  void Receive(absl::StatusOr<Body> bytes) {
    if (!exchange_->is_cancelled()) {
      if (const auto delay = wire::RetryDelayOf(bytes.status())) {
        return AskLater(exchange_, *delay, bytes.status(),
                        [call = shared_from_this()] { call->Ask(); });
      }
    }
    answered_ = true;
    // The tile may be here although the request was cancelled.
    if (exchange_->is_cancelled() || !bytes.ok()) return exchange_->Fail(bytes.status());
    answer_.body = *std::move(bytes);
    exchange_->Answer(std::move(answer_));
  }

  // Does nothing after the answer.
  void Cancel() {
    if (waiter_ != nullptr) tiles_->Cancel(waiter_);
    if (question_ != nullptr) question_->Cancel();
  }

  tile::TileService* const tiles_;
  raster::RasterService* const rasters_;
  const ExchangePointer exchange_;
  const TileAddress address_;
  Response answer_;
  // What it waits for: a tile or a raster.
  tile::TileSource::WaiterPtr waiter_;
  std::shared_ptr<raster::RasterService::Question> question_;
  bool answered_ = false;
  // Destroyed before the exchange, which holds the caller that it watches.
  access::Revocation::Watch watch_;
};

void AnswerAddress(const Site& site, std::string_view world_name, const ExchangePointer& exchange,
                   absl::StatusOr<TileAddress> address) {
  if (!address.ok()) return exchange->Fail(address.status());
  const std::string etag = EtagOf(address->identity);
  const std::string_view lifetime =
      CacheControlOf(world_name, *address->tile_query.world, *exchange);
  if (AnswerIfKnown(*exchange, etag, lifetime, address->headers)) return;
  Response answer{.status = 200,
                  .content_type = address->content_type,
                  .headers = address->headers,
                  .body = nullptr};
  AddCaching(etag, lifetime, answer);
  if (exchange->is_head()) {
    // The length is known only when the answer is made.
    answer.has_length = false;
    return exchange->Answer(std::move(answer));
  }
  const absl::Status billed = exchange->admission().Bill(address->tile_query);
  if (!billed.ok()) return exchange->Fail(billed);
  std::make_shared<TileCall>(site, exchange, *std::move(address), std::move(answer))->Start();
}

}  // namespace

void AnswerTile(const Request& request, ParseAddress parse) {
  FindWorld(request.site, request.path.world, request.exchange,
            [request = request, parse](const world::WorldPointer& world) {
              AnswerAddress(request.site, request.path.world, request.exchange,
                            parse(request, world));
            });
}

void HandleGetTile(const Request& request) {
  AnswerTile(request, [](const Request& asked, const world::WorldPointer& world) {
    return ParseTileAddress(world, asked.path, asked.parameters);
  });
}

void HandleGetMapTile(const Request& request) {
  AnswerTile(request, [](const Request& asked, const world::WorldPointer& world) {
    return ParseMapTileAddress(world, asked.path, asked.parameters);
  });
}

}  // namespace thalweg::http
