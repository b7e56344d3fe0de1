#include "server/tile/tile_service.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "server/tile/tile_encoder.h"
#include "server/tile/tile_layers.h"

namespace thalweg::tile {

// A tile under way. Guarded by the service's mutex; query and id never change.
struct TileService::Flight {
  TileQuery query;
  cache::TileId id;
  field::Priority priority = field::Priority::kBake;
  // Counts the field's requests for this tile. An answer to any but the last one, and any at all
  // once values came or everybody left, is stale.
  std::uint64_t attempt = 0;
  std::optional<field::Field::RequestId> request;
  bool encoding = false;
  std::vector<Waiter> waiters;
};

TileService::TileService(std::unique_ptr<field::Field> field, cache::TileCache* cache,
                         int encode_threads)
    : field_(std::move(field)),
      cache_(cache),
      pool_(std::make_unique<WorkerPool>(encode_threads)) {}

TileService::~TileService() {
  Stop();
  pool_.reset();
}

void TileService::Stop() { field_->Stop(); }

TileService::Ticket TileService::Get(const TileQuery& query, Done done) {
  const cache::TileId id = IdOf(query);
  if (TileBytes hit = cache_->Find(id)) {
    std::move(done)(std::move(hit));
    return kAnswered;
  }
  std::unique_lock lock(mutex_);
  FlightPtr& place = flights_[id];
  const bool fresh = place == nullptr;
  if (fresh) {
    // A flight puts its tile in the cache before it leaves: one may have landed since the first
    // look.
    if (TileBytes hit = cache_->Find(id)) {
      flights_.erase(id);
      lock.unlock();
      std::move(done)(std::move(hit));
      return kAnswered;
    }
    place = std::make_shared<Flight>();
    place->query = query;
    place->id = id;
  } else {
    ++stats_.joined;
  }
  const FlightPtr flight = place;
  const Ticket ticket = next_ticket_++;
  flight->waiters.push_back({ticket, std::move(done)});
  tickets_.emplace(ticket, flight);
  // One who is in more of a hurry asks again, and the field's own single flight does the rest.
  const bool ask = fresh || (!flight->encoding && query.priority < flight->priority);
  if (!ask) return ticket;
  flight->priority = query.priority;
  const std::uint64_t attempt = ++flight->attempt;
  lock.unlock();
  AskField(flight, attempt, query.priority);
  return ticket;
}

void TileService::AskField(const FlightPtr& flight, std::uint64_t attempt,
                           field::Priority priority) {
  Sources sources = SourcesOf(flight->query.layers.List());
  field::TileRequest request{.world = flight->query.world,
                             .key = flight->query.key,
                             .layers = std::move(sources.layers),
                             .priority = priority,
                             .client = flight->query.client,
                             .margin = sources.margin};
  std::optional<field::Field::RequestId> unwanted = field_->Request(
      std::move(request), [this, flight, attempt](absl::StatusOr<field::TileValues> values) {
        TakeValues(flight, attempt, std::move(values));
      });
  {
    const std::lock_guard lock(mutex_);
    // Unless it is stale already, this request is the flight's now, and the one before it is not.
    if (flight->attempt == attempt) std::swap(flight->request, unwanted);
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
  pool_->Post([this, flight, values = *std::move(values)] {
    auto bytes = std::make_shared<const std::string>(EncodeTile(flight->query, values));
    cache_->Insert(flight->id, bytes);
    Land(flight, TileBytes(std::move(bytes)));
  });
}

void TileService::Land(const FlightPtr& flight, const absl::StatusOr<TileBytes>& result) {
  std::vector<Waiter> waiters;
  {
    const std::lock_guard lock(mutex_);
    flights_.erase(flight->id);
    waiters.swap(flight->waiters);
    for (const Waiter& waiter : waiters) tickets_.erase(waiter.ticket);
    if (result.ok()) ++stats_.tiles_encoded;
  }
  for (Waiter& waiter : waiters) std::move(waiter.done)(result);
}

void TileService::Cancel(Ticket ticket) {
  Done done;
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
    // What is being encoded is finished for the cache.
    if (flight->waiters.empty() && !flight->encoding) {
      ++flight->attempt;
      unwanted = std::exchange(flight->request, std::nullopt);
      flights_.erase(flight->id);
    }
  }
  if (unwanted) field_->Cancel(*unwanted);
  std::move(done)(absl::CancelledError("tile: nobody waits for it any more"));
}

TileServiceStats TileService::stats() const {
  const std::lock_guard lock(mutex_);
  TileServiceStats stats = stats_;
  stats.flights = flights_.size();
  return stats;
}

}  // namespace thalweg::tile
