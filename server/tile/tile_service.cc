#include "server/tile/tile_service.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "server/tile/tile_bill.h"
#include "server/tile/tile_encoder.h"
#include "server/tile/tile_layers.h"

namespace thalweg::tile {

// A tile under way. Guarded by the service's mutex; query and id never change.
struct TileService::Flight {
  TileQuery query;
  cache::TileId id;
  field::Priority priority = field::Priority::kBake;
  // Whether the stores are asked now; the field is asked after them.
  bool in_stores = false;
  // Counts the requests to stores and field for this tile. Only the answer to the last one is used;
  // none is, once values or bytes came or all waiters left.
  std::uint64_t attempt = 0;
  // The attempt that is about to ask the field; 0 if none is.
  std::uint64_t asking = 0;
  std::optional<field::Field::RequestId> request;
  // Whether the values or the bytes are here, so that a new waiter need not ask for anything.
  bool encoding = false;
  std::vector<Waiter> waiters;
  // Whether a payer was found. One payer pays, however often the field is asked.
  bool has_payer = false;
  // Null if the tile is free. Once it is set, only the field uses it, under the field's lock.
  std::shared_ptr<TileBill> bill;
};

TileService::TileService(std::unique_ptr<field::Field> field, cache::TileCache* cache,
                         int encode_threads, cache::StoreChain* stores, StoreMisses misses)
    : field_(std::move(field)),
      cache_(cache),
      stores_(stores),
      misses_(std::move(misses)),
      pool_(std::make_unique<sharing::WorkerPool>(encode_threads)) {}

TileService::~TileService() {
  Stop();
  {
    std::unique_lock lock(mutex_);
    stores_answered_.wait(lock, [this] { return asked_stores_ == 0; });
  }
  pool_.reset();
}

void TileService::Stop() { field_->Stop(); }

void TileService::Answer(AnyDone done, const absl::StatusOr<FinishedTile>& result) {
  if (auto* const bytes = std::get_if<Done>(&done)) return std::move(*bytes)(result);
  auto& contents = std::get<ContentsDone>(done);
  if (!result.ok()) return std::move(contents)(result.status());
  std::move(contents)(TileContents(result->bytes));
}

TileService::Ticket TileService::Ask(const TileQuery& query, AnyDone done) {
  const cache::TileId id = IdOf(query);
  if (FinishedTile hit = cache_->Find(id); hit.bytes != nullptr) {
    Answer(std::move(done), std::move(hit));
    return kAnswered;
  }
  std::unique_lock lock(mutex_);
  FlightPtr& entry = flights_[id];
  const bool fresh = entry == nullptr;
  if (fresh) {
    // A flight puts its tile in the cache before it ends: one may have ended since the first look.
    if (FinishedTile hit = cache_->Find(id); hit.bytes != nullptr) {
      flights_.erase(id);
      lock.unlock();
      Answer(std::move(done), std::move(hit));
      return kAnswered;
    }
    entry = std::make_shared<Flight>();
    entry->query = query;
    entry->id = id;
    entry->in_stores = stores_ != nullptr && !misses_.Contains(id);
  } else {
    ++stats_.joined;
  }
  const FlightPtr flight = entry;
  const Ticket ticket = next_ticket_++;
  flight->waiters.push_back({ticket, query.payer, std::move(done)});
  tickets_.emplace(ticket, flight);
  // A more urgent waiter asks the field again; the field still computes each block once. Stores
  // have no priorities.
  const bool hurried = !flight->encoding && query.priority < flight->priority;
  if (fresh || hurried) flight->priority = query.priority;
  const bool ask = fresh || (hurried && !flight->in_stores);
  const std::uint64_t attempt = ask ? ++flight->attempt : 0;
  const bool ask_stores = ask && flight->in_stores;
  if (ask && !ask_stores) flight->asking = attempt;
  if (ask_stores) ++asked_stores_;
  lock.unlock();
  if (ask_stores) {
    AskStores(flight, attempt);
  } else if (ask) {
    AskField(flight, attempt, query.priority);
  }
  return ticket;
}

bool TileService::FindPayer(const FlightPtr& flight, std::uint64_t attempt) {
  std::vector<Waiter> refused;
  std::vector<absl::Status> reasons;
  {
    const std::lock_guard lock(mutex_);
    if (flight->attempt != attempt) return false;
    if (flight->has_payer) return true;
    for (const Waiter& waiter : flight->waiters) {
      reasons.push_back(waiter.payer == nullptr ? absl::OkStatus() : waiter.payer->MayGenerate());
      if (!reasons.back().ok()) continue;
      if (waiter.payer != nullptr) flight->bill = std::make_shared<TileBill>(waiter.payer);
      flight->has_payer = true;
      return true;
    }
    ++flight->attempt;
    refused = TakeWaiters(*flight);
  }
  for (std::size_t k = 0; k < refused.size(); ++k) Answer(std::move(refused[k].done), reasons[k]);
  return false;
}

std::vector<TileService::Waiter> TileService::TakeWaiters(Flight& flight) {
  flights_.erase(flight.id);
  for (const Waiter& waiter : flight.waiters) tickets_.erase(waiter.ticket);
  return std::exchange(flight.waiters, {});
}

void TileService::AskStores(const FlightPtr& flight, std::uint64_t attempt) {
  stores_->Load(flight->id, [this, flight, attempt](FinishedTile tile) {
    TakeStored(flight, attempt, std::move(tile));
    const std::lock_guard lock(mutex_);
    if (--asked_stores_ == 0) stores_answered_.notify_all();
  });
}

void TileService::TakeStored(const FlightPtr& flight, std::uint64_t attempt, FinishedTile tile) {
  const bool found = tile.bytes != nullptr;
  // Cached even if no waiter is left: the next request for the tile need not ask the stores.
  if (found) cache_->Insert(flight->id, tile);
  field::Priority priority{};
  {
    const std::lock_guard lock(mutex_);
    if (!found) misses_.Add(flight->id);
    if (flight->attempt != attempt) return;
    ++flight->attempt;
    flight->in_stores = false;
    flight->encoding = found;
    if (found) ++stats_.tiles_loaded;
    if (!found) flight->asking = flight->attempt;
    priority = flight->priority;
  }
  if (!found) return AskField(flight, attempt + 1, priority);
  Land(flight, std::move(tile));
}

void TileService::AskField(const FlightPtr& flight, std::uint64_t attempt,
                           field::Priority priority) {
  if (!FindPayer(flight, attempt)) return;
  Sources sources = SourcesOf(flight->query.layers.List());
  field::TileRequest request{.world = flight->query.world,
                             .key = flight->query.key,
                             .layers = std::move(sources.layers),
                             .priority = priority,
                             .client = flight->query.client,
                             .margin = sources.margin};
  if (flight->bill != nullptr) {
    request.meter = [bill = flight->bill](std::int64_t cells) { bill->Add(cells); };
  }
  std::optional<field::Field::RequestId> unwanted = field_->Request(
      std::move(request), [this, flight, attempt](absl::StatusOr<field::TileValues> values) {
        TakeValues(flight, attempt, std::move(values));
      });
  {
    const std::lock_guard lock(mutex_);
    // This request replaces the flight's former one. It does so even if it is stale, until the
    // newer one is made: if it were cancelled before that, its work would begin, and be paid,
    // twice.
    const bool is_newest = flight->attempt == attempt;
    const bool newer_comes = flight->asking == flight->attempt && !flight->request;
    if (is_newest || newer_comes) std::swap(flight->request, unwanted);
    if (flight->asking == attempt) flight->asking = 0;
  }
  if (unwanted) field_->Cancel(*unwanted);
}

void TileService::TakeValues(const FlightPtr& flight, std::uint64_t attempt,
                             absl::StatusOr<field::TileValues> values) {
  {
    const std::lock_guard lock(mutex_);
    if (flight->attempt != attempt) return;
    ++flight->attempt;
    flight->request.reset();
    flight->encoding = true;
  }
  if (!values.ok()) {
    Land(flight, values.status());
    return;
  }
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
      [this, flight](const absl::StatusOr<Encoded>& encoded) { TakeEncoded(flight, encoded); });
}

bool TileService::GiveValues(const FlightPtr& flight,
                             const std::shared_ptr<const field::TileValues>& values) {
  std::vector<Waiter> satisfied;
  bool needs_bytes = stores_ != nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::vector<Waiter>& waiters = flight->waiters;
    const auto first = std::stable_partition(
        waiters.begin(), waiters.end(),
        [](const Waiter& waiter) { return std::holds_alternative<Done>(waiter.done); });
    satisfied.assign(std::make_move_iterator(first), std::make_move_iterator(waiters.end()));
    waiters.erase(first, waiters.end());
    for (const Waiter& waiter : satisfied) tickets_.erase(waiter.ticket);
    needs_bytes = needs_bytes || !waiters.empty();
    if (!needs_bytes) flights_.erase(flight->id);
  }
  for (Waiter& waiter : satisfied) {
    std::move(std::get<ContentsDone>(waiter.done))(TileContents(values));
  }
  return needs_bytes;
}

void TileService::TakeEncoded(const FlightPtr& flight, const absl::StatusOr<Encoded>& encoded) {
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
  Land(flight, tile);
}

void TileService::Land(const FlightPtr& flight, const absl::StatusOr<FinishedTile>& result) {
  std::vector<Waiter> waiters;
  {
    const std::lock_guard lock(mutex_);
    waiters = TakeWaiters(*flight);
  }
  for (Waiter& waiter : waiters) Answer(std::move(waiter.done), result);
}

void TileService::Cancel(Ticket ticket) {
  AnyDone done;
  std::optional<field::Field::RequestId> unwanted;
  {
    const std::lock_guard lock(mutex_);
    const auto found = tickets_.find(ticket);
    if (found == tickets_.end()) return;
    const FlightPtr flight = found->second;
    tickets_.erase(found);
    const auto waiter =
        std::find_if(flight->waiters.begin(), flight->waiters.end(),
                     [ticket](const Waiter& other) { return other.ticket == ticket; });
    done = std::move(waiter->done);
    flight->waiters.erase(waiter);
    // A tile that is being encoded is finished anyway, for the cache.
    if (flight->waiters.empty() && !flight->encoding) {
      ++flight->attempt;
      unwanted = std::exchange(flight->request, std::nullopt);
      flights_.erase(flight->id);
    }
  }
  if (unwanted) field_->Cancel(*unwanted);
  Answer(std::move(done),
         absl::CancelledError("compute a tile: cancelled, since no caller waits for it any more"));
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
