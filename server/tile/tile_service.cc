#include "server/tile/tile_service.h"

#include <algorithm>

#include "server/tile/layers/tile_layers.h"

namespace thalweg::tile {
namespace {

absl::Status Cancelled() {
  return absl::CancelledError("get a tile: cancelled, since its caller no longer waits for it");
}

}  // namespace

void StoreMisses::Add(const cache::TileId& id) {
  const Clock::time_point now = now_();
  while (!order_.empty() &&
         (order_.size() >= kMaxTiles || now - order_.front().added >= kLifetime)) {
    DropOldest();
  }
  added_[id] = now;
  order_.push_back({id, now});
}

bool StoreMisses::Contains(const cache::TileId& id) const {
  const auto found = added_.find(id);
  return found != added_.end() && now_() - found->second < kLifetime;
}

void StoreMisses::DropOldest() {
  const Entry& oldest = order_.front();
  const auto found = added_.find(oldest.id);
  if (found != added_.end() && found->second == oldest.added) added_.erase(found);
  order_.pop_front();
}

// A tile under way. Guarded by the service's mutex; query and id never change.
struct TileFlight {
  // The values are here when it encodes. A tile that was found is answered at once.
  enum class Stage { kStores, kField, kEncoding, kEnded };

  TileQuery query;
  cache::TileId id;
  Stage stage = Stage::kField;
  // The most urgent one of all waiters so far.
  field::Priority priority = field::Priority::kBake;
  std::vector<std::shared_ptr<TileWaiter>> waiters;
  // Null if the tile is free. Once the field is asked, only the field uses it, under its lock.
  std::shared_ptr<TileBill> bill;
  // Once the field has given it.
  std::optional<field::Field::RequestId> request;
};

TileService::TileService(Parts parts)
    : field_(std::move(parts.field)),
      cache_(parts.cache),
      stores_(parts.stores),
      room_(std::move(parts.room)),
      misses_(std::move(parts.misses)),
      pool_(std::make_unique<sharing::WorkerPool>(parts.encode_threads)) {}

TileService::~TileService() {
  Stop();
  {
    std::unique_lock lock(mutex_);
    stores_answered_.wait(lock, [this] { return asked_stores_ == 0; });
  }
  pool_.reset();
}

void TileService::Stop() {
  if (room_ != nullptr) room_->Stop();
  field_->Stop();
}

bool TileService::MayAskAhead(const TileQuery& query) const {
  return room_ == nullptr || query.has_room ||
         room_->MayAskAhead(query.client, MaxAnswerBytes(query));
}

void TileService::Answer(bool wants_values, sharing::AnswerRoom::Share share, Done done,
                         absl::StatusOr<TileContents> result) {
  if (result.ok() && share.held() > 0) result->Hold(wants_values, std::move(share));
  // After an error the room is free before the caller asks again.
  share = sharing::AnswerRoom::Share();
  std::move(done)(std::move(result));
}

void TileService::Answer(TileWaiter& waiter, absl::StatusOr<TileContents> result) {
  waiter.flight_ = nullptr;
  Answer(waiter.wants_values_, std::move(waiter.share_), std::move(waiter.done_),
         std::move(result));
}

void TileService::Get(const WaiterPtr& waiter, TileQuery query, Done done) {
  FinishedTile hit = cache_->Find(IdOf(query));
  const bool is_hit = hit.bytes != nullptr;
  std::optional<sharing::AnswerRoom::Share> share;
  if (room_ == nullptr || query.has_room) {
    share.emplace();
  } else {
    // Bytes whose number is known take no more room than that.
    share = room_->Try(query.client,
                       is_hit && !query.wants_values ? hit.size() : MaxAnswerBytes(query));
  }
  State idle = State::kIdle;
  if (is_hit && share) {
    const bool was_idle = waiter->state_.compare_exchange_strong(idle, State::kAnswered);
    if (!was_idle) return Answer(false, {}, std::move(done), Cancelled());
    return Answer(query.wants_values, *std::move(share), std::move(done),
                  TileContents(std::move(hit)));
  }
  waiter->wants_values_ = query.wants_values;
  waiter->payer_ = query.payer;
  waiter->done_ = std::move(done);
  if (!share) {
    waiter->for_room_ = std::make_unique<TileWaiter::ForRoom>();
    waiter->for_room_->query = query;
  }
  if (!waiter->state_.compare_exchange_strong(idle, State::kForRoom)) {
    share.reset();
    return Answer(*waiter, Cancelled());
  }
  if (share) return Join(waiter, query, *std::move(share));
  room_->Await(waiter->for_room_->wish, query.client, MaxAnswerBytes(query),
               [this, waiter](absl::StatusOr<sharing::AnswerRoom::Share> got) {
                 Join(waiter, waiter->for_room_->query, std::move(got));
               });
}

void TileService::Join(const WaiterPtr& waiter, const TileQuery& query,
                       absl::StatusOr<sharing::AnswerRoom::Share> share) {
  // The query may be in it.
  std::unique_ptr<TileWaiter::ForRoom> had_to_wait;
  const cache::TileId id = IdOf(query);
  absl::Status failed = share.status();
  FinishedTile hit;
  FlightPtr flight;
  bool ask_stores = false;
  bool ask_field = false;
  std::optional<field::Field::RequestId> raise;
  {
    const std::lock_guard lock(mutex_);
    if (waiter->state_ == State::kCancelled) failed = Cancelled();
    if (failed.ok()) waiter->share_ = *std::move(share);
    auto found = flights_.find(id);
    // A flight puts its tile in the cache before it ends: one may have ended since the first look.
    if (failed.ok() && found == flights_.end()) hit = cache_->Find(id);
    if (!failed.ok() || hit.bytes != nullptr) {
      waiter->state_ = State::kAnswered;
    } else {
      const bool fresh = found == flights_.end();
      if (fresh) {
        flight = std::make_shared<Flight>();
        flight->query = query;
        flight->id = id;
        flight->priority = query.priority;
        ask_stores = stores_ != nullptr && !misses_.Contains(id);
        ask_field = !ask_stores;
        if (ask_stores) {
          flight->stage = Flight::Stage::kStores;
          ++asked_stores_;
        }
        flights_.emplace(id, flight);
      } else {
        flight = found->second;
        ++stats_.joined;
        if (query.priority < flight->priority) {
          flight->priority = query.priority;
          if (flight->stage == Flight::Stage::kField) raise = flight->request;
        }
      }
      waiter->state_ = State::kForTile;
      had_to_wait = std::move(waiter->for_room_);
      waiter->flight_ = flight;
      flight->waiters.push_back(waiter);
    }
  }
  if (!failed.ok()) {
    share = failed;
    return Answer(*waiter, std::move(failed));
  }
  if (hit.bytes != nullptr) return Answer(*waiter, TileContents(std::move(hit)));
  if (ask_stores) AskStores(flight);
  if (ask_field) AskField(flight);
  if (raise) field_->Raise(*raise, query.priority);
}

void TileService::AskStores(const FlightPtr& flight) {
  stores_->Load(flight->id, [this, flight](FinishedTile tile) {
    ReceiveStored(flight, std::move(tile));
    const std::lock_guard lock(mutex_);
    if (--asked_stores_ == 0) stores_answered_.notify_all();
  });
}

void TileService::ReceiveStored(const FlightPtr& flight, FinishedTile tile) {
  const bool found = tile.bytes != nullptr;
  // Cached even if no waiter is left: the next request for the tile need not ask the stores.
  if (found) cache_->Insert(flight->id, tile);
  {
    const std::lock_guard lock(mutex_);
    if (!found) misses_.Add(flight->id);
    if (flight->stage == Flight::Stage::kEnded) return;
    if (found) {
      ++stats_.tiles_loaded;
    } else {
      flight->stage = Flight::Stage::kField;
    }
  }
  if (!found) return AskField(flight);
  Land(flight, TileContents(std::move(tile)));
}

bool TileService::FindPayer(const FlightPtr& flight) {
  std::vector<WaiterPtr> refused;
  std::vector<absl::Status> reasons;
  {
    const std::lock_guard lock(mutex_);
    for (const WaiterPtr& waiter : flight->waiters) {
      const std::shared_ptr<Payer>& payer = waiter->payer_;
      reasons.push_back(payer == nullptr ? absl::OkStatus() : payer->MayGenerate());
      if (!reasons.back().ok()) continue;
      if (payer != nullptr) flight->bill = std::make_shared<TileBill>(payer);
      return true;
    }
    refused = End(*flight);
  }
  for (std::size_t k = 0; k < refused.size(); ++k) Answer(*refused[k], std::move(reasons[k]));
  return false;
}

void TileService::AskField(const FlightPtr& flight) {
  if (!FindPayer(flight)) return;
  Sources sources = SourcesOf(flight->query.layers.List());
  field::TileRequest request{.world = flight->query.world,
                             .key = flight->query.key,
                             .layers = std::move(sources.layers),
                             .client = flight->query.client,
                             .margin = sources.margin};
  if (flight->bill != nullptr) {
    request.meter = [bill = flight->bill](std::int64_t cells) { bill->Add(cells); };
  }
  field::Priority asked{};
  {
    const std::lock_guard lock(mutex_);
    asked = request.priority = flight->priority;
  }
  const field::Field::RequestId id =
      field_->Request(std::move(request), [this, flight](absl::StatusOr<field::TileValues> values) {
        ReceiveValues(flight, std::move(values));
      });
  // What happened meanwhile: all have left, or a more urgent waiter has joined.
  bool unwanted = false;
  field::Priority wanted{};
  {
    const std::lock_guard lock(mutex_);
    unwanted = flight->stage == Flight::Stage::kEnded;
    flight->request = id;
    wanted = flight->priority;
  }
  if (unwanted) return field_->Cancel(id);
  if (wanted < asked) field_->Raise(id, wanted);
}

void TileService::ReceiveValues(const FlightPtr& flight, absl::StatusOr<field::TileValues> values) {
  {
    const std::lock_guard lock(mutex_);
    if (flight->stage != Flight::Stage::kField) return;
    flight->stage = Flight::Stage::kEncoding;
  }
  if (!values.ok()) return Land(flight, values.status());
  // Given back when the tile is encoded, or is not to be. The values may live on for callers that
  // want them: those have room of their own for them.
  const std::shared_ptr<sharing::Room::Share> share = std::move(values->share);
  const auto shared = std::make_shared<const field::TileValues>(*std::move(values));
  if (!GiveValues(flight, shared)) return;
  pool_->Post(
      flight->query.client, "encode tile",
      [flight, shared, share]() -> absl::StatusOr<Encoded> {
        const auto start = std::chrono::steady_clock::now();
        FinishedTile tile = EncodeTile(flight->query, *shared);
        const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
        return Encoded{std::move(tile), duration.count()};
      },
      [this, flight](const absl::StatusOr<Encoded>& encoded) { ReceiveEncoded(flight, encoded); });
}

bool TileService::GiveValues(const FlightPtr& flight,
                             const std::shared_ptr<const field::TileValues>& values) {
  std::vector<WaiterPtr> satisfied;
  bool needs_bytes = stores_ != nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::vector<WaiterPtr>& waiters = flight->waiters;
    const auto first =
        std::stable_partition(waiters.begin(), waiters.end(),
                              [](const WaiterPtr& waiter) { return !waiter->wants_values_; });
    satisfied.assign(first, waiters.end());
    waiters.erase(first, waiters.end());
    for (const WaiterPtr& waiter : satisfied) waiter->state_ = State::kAnswered;
    needs_bytes = needs_bytes || !waiters.empty();
    if (!needs_bytes) End(*flight);
  }
  for (const WaiterPtr& waiter : satisfied) Answer(*waiter, TileContents(values));
  return needs_bytes;
}

void TileService::ReceiveEncoded(const FlightPtr& flight, const absl::StatusOr<Encoded>& encoded) {
  if (!encoded.ok()) return Land(flight, encoded.status());
  const FinishedTile& tile = encoded->tile;
  cache_->Insert(flight->id, tile);
  if (stores_ != nullptr) stores_->Save(flight->id, tile.bytes);
  {
    const std::lock_guard lock(mutex_);
    misses_.Remove(flight->id);
    ++stats_.tiles_encoded;
    stats_.encode_seconds += encoded->seconds;
    stats_.encoded_bytes += tile.size();
  }
  Land(flight, TileContents(tile));
}

void TileService::Land(const FlightPtr& flight, const absl::StatusOr<TileContents>& result) {
  std::vector<WaiterPtr> waiters;
  {
    const std::lock_guard lock(mutex_);
    waiters = End(*flight);
  }
  for (const WaiterPtr& waiter : waiters) Answer(*waiter, result);
}

std::vector<TileService::WaiterPtr> TileService::End(Flight& flight) {
  if (flight.stage != Flight::Stage::kEnded) flights_.erase(flight.id);
  flight.stage = Flight::Stage::kEnded;
  for (const WaiterPtr& waiter : flight.waiters) waiter->state_ = State::kAnswered;
  return std::exchange(flight.waiters, {});
}

void TileService::Cancel(const WaiterPtr& waiter) {
  // Get answers it.
  State state = State::kIdle;
  if (waiter->state_.compare_exchange_strong(state, State::kCancelled)) return;
  std::optional<field::Field::RequestId> unwanted;
  {
    const std::lock_guard lock(mutex_);
    state = waiter->state_;
    if (state != State::kForRoom && state != State::kForTile) return;
    waiter->state_ = State::kCancelled;
    if (state == State::kForTile) {
      Flight& flight = *waiter->flight_;
      flight.waiters.erase(std::find(flight.waiters.begin(), flight.waiters.end(), waiter));
      // A tile that is being encoded is finished anyway, for the cache.
      if (flight.waiters.empty() && flight.stage != Flight::Stage::kEncoding) {
        End(flight);
        unwanted = flight.request;
      }
    }
  }
  // Join answers it: now, or it is about to.
  if (state == State::kForRoom) {
    if (waiter->for_room_ != nullptr) room_->Withdraw(waiter->for_room_->wish);
    return;
  }
  if (unwanted) field_->Cancel(*unwanted);
  Answer(*waiter, Cancelled());
}

TileServiceStats TileService::stats() const {
  TileServiceStats stats;
  {
    const std::lock_guard lock(mutex_);
    stats = stats_;
    stats.flights = flights_.size();
  }
  stats.waiting_to_encode = pool_->waiting();
  return stats;
}

}  // namespace thalweg::tile
