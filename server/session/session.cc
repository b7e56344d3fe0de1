#include "server/session/session.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <vector>

#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/tile/tile_query.h"

namespace thalweg::session {
namespace {

// Room is held in steps of this many entries, so that not every tile takes the room's lock.
constexpr std::size_t kStep = 256;

}  // namespace

Outgoing OpenedResponse(const world::World& world, const lod::WorldGrid& grid) {
  v1::SessionResponse response;
  v1::SessionOpened& opened = *response.mutable_opened();
  opened.set_world_id(world.id());
  opened.set_cell_size_m(grid.cell_size_m);
  opened.set_levels(static_cast<std::uint32_t>(grid.levels));
  opened.set_radius_m(grid.radius_m);
  return {response.SerializeAsString()};
}

Outgoing TileResponse(tile::TileBytes tile) {
  using google::protobuf::internal::WireFormatLite;
  using google::protobuf::io::CodedOutputStream;
  std::uint8_t head[2 * 10];
  std::uint8_t* end = CodedOutputStream::WriteVarint32ToArray(
      WireFormatLite::MakeTag(v1::SessionResponse::kTileFieldNumber,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED),
      head);
  end = CodedOutputStream::WriteVarint64ToArray(tile->size(), end);
  return {std::string(reinterpret_cast<const char*>(head), static_cast<std::size_t>(end - head)),
          std::move(tile)};
}

Outgoing UnchangedResponse(const wire::TileKey& key) {
  v1::SessionResponse response;
  *response.mutable_unchanged()->mutable_key() = tile::ToProto(key);
  return {response.SerializeAsString()};
}

Outgoing FailedResponse(const wire::TileKey& key, const absl::Status& status) {
  v1::SessionResponse response;
  v1::TileFailed& failed = *response.mutable_failed();
  *failed.mutable_key() = tile::ToProto(key);
  failed.set_code(static_cast<std::uint32_t>(status.code()));
  failed.set_message(std::string(status.message()));
  if (const auto delay = wire::RetryDelayOf(status)) {
    failed.set_retry_after_ms(static_cast<std::uint32_t>(delay->count()));
  }
  return {response.SerializeAsString()};
}

Outgoing SettledResponse(std::uint64_t view_id, std::size_t tiles, std::size_t failed) {
  v1::SessionResponse response;
  v1::ViewSettled& settled = *response.mutable_settled();
  settled.set_view_id(view_id);
  settled.set_tiles(static_cast<std::uint32_t>(tiles));
  settled.set_failed(static_cast<std::uint32_t>(failed));
  return {response.SerializeAsString()};
}

Session::Session(const SessionContext& context, Wake wake)
    : context_(context),
      wake_(std::move(wake)),
      share_(*context_.room, context_.caller),
      plan_pace_(context_.now()),
      counted_(*context.counters),
      counters_(*context.counters) {}

Session::~Session() { Close(); }

std::size_t Session::Entries() const {
  return wants_.wanted() + wants_.refused() + sent_.size() + failed_.size() + notes_.size();
}

bool Session::Hold(std::size_t entries) {
  return share_.Hold((entries + kStep - 1) / kStep * kStep * kEntryBytes);
}

absl::Status Session::MakeRoom(std::size_t more) {
  if (Hold(Entries() + more)) return absl::OkStatus();
  absl::Status full = absl::ResourceExhaustedError(
      "session: request_memory_mb of the server is full for this caller; drop tiles (DropTiles), "
      "end unused sessions, or try again later");
  wire::SetRetryDelay(full, kRetryAfter);
  return full;
}

// Gives up tiles that this view does not need. Called before others are asked for.
void Session::DropUnneeded() {
  pending_.GiveUp(
      [this](const wire::TileKey& key) { return !wants_.Has(key) && !plan_.Needs(key); });
}

void Session::CancelUnwanted() {
  std::vector<PendingTiles::WaiterPtr> waiters;
  {
    const std::lock_guard lock(mutex_);
    waiters = pending_.TakeGivenUp();
  }
  for (const auto& waiter : waiters) context_.tiles->Cancel(waiter);
}

bool Session::MayAsk() const {
  if (closed_ || notes_.size() >= kMaxNotes || !credit_.Allows(pending_.size()) ||
      pending_.IsFull()) {
    return false;
  }
  // One tile may always be under way, so that the session goes on when that one was sent.
  return pending_.size() == 0 || context_.tiles->MayAskAhead(*query_);
}

std::optional<ViewPlan::Step> Session::NextStep() {
  for (const auto priority :
       {tile::Priority::kInteractive, tile::Priority::kPrefetch, tile::Priority::kBake}) {
    if (const auto key = wants_.Take(priority)) return ViewPlan::Step{*key, priority};
    if (plan_pace_.IsMaking()) continue;
    // The plan's tiles in view are interactive; its other ones come after.
    if (priority == tile::Priority::kInteractive && !plan_.IsInView()) continue;
    const auto is_known = [this](const wire::TileKey& key) { return sent_.Has(key); };
    if (auto step = plan_.Next(is_known)) return step;
  }
  return std::nullopt;
}

bool Session::IsMissing(const ViewPlan::Step& step) {
  const wire::TileKey& key = step.key;
  // A tile that has become more urgent is asked for again.
  if (const auto asked_at = pending_.AskedAt(key)) return step.priority < *asked_at;
  if (sent_.Has(key)) {
    // A tile that the client asks for by name is answered even if it has the tile.
    if (sent_.TakeUnannounced(key) || wants_.Has(key)) {
      ++counters_.tiles_unchanged;
      notes_.push_back(UnchangedResponse(key));
    }
    wants_.Remove(key);
    return false;
  }
  return !pending_.Has(key) && !failed_.Holds(key, context_.now());
}

std::optional<ViewPlan::Step> Session::TakeStep() {
  while (MayAsk()) {
    auto step = NextStep();
    if (!step) break;
    if (IsMissing(*step)) return step;
  }
  Settle();
  NoteCredit();
  return std::nullopt;
}

void Session::NoteCredit() {
  if (closed_) return;
  const bool wants_more = pending_.ready() > 0 || !settled_ || !wants_.IsEmpty();
  counted_.SetStalled(wants_more && pending_.asked() == 0 && !credit_.Allows());
}

void Session::Settle() {
  if (settled_ || !plan_.PassedNow()) return;
  const auto needed = [this](const wire::TileKey& key) { return plan_.NeedsNow(key); };
  if (pending_.HasAny(needed)) return;
  settled_ = true;
  notes_.push_back(
      SettledResponse(plan_.view()->id, plan_.selection().tiles().size(), failed_.Count(needed)));
}

void Session::Pump() {
  PlanIfDue();
  AskForAll();
  // This tile may have been the last of the selection, so a new plan may be due.
  PlanIfDue();
  CancelUnwanted();
  wake_();
}

void Session::AskForAll() {
  std::unique_lock lock(mutex_);
  while (const auto step = TakeStep()) {
    tile::TileQuery query = *query_;
    query.key = step->key;
    query.priority = step->priority;
    const PendingTiles::WaiterPtr waiter = pending_.Ask(step->key, step->priority);
    lock.unlock();
    context_.tiles->Get(waiter, std::move(query),
                        [session = shared_from_this(), key = step->key,
                         waiter = waiter.get()](absl::StatusOr<tile::TileContents> tile) {
                          session->Arrive(key, waiter, std::move(tile));
                        });
    lock.lock();
  }
}

void Session::Arrive(const wire::TileKey& key, const tile::TileWaiter* waiter,
                     absl::StatusOr<tile::TileContents> tile) {
  const absl::Status status = tile.status();
  using Finished = absl::StatusOr<tile::FinishedTile>;
  Finished finished = status.ok() ? Finished((*std::move(tile)).finished()) : Finished(status);
  {
    const std::lock_guard lock(mutex_);
    if (!pending_.Answer(key, waiter, std::move(finished))) return;
    if (!status.ok()) {
      wants_.Remove(key);
      const auto delay = wire::RetryDelayOf(status).value_or(kRetryAfter);
      const TimePoint now = context_.now();
      failed_.Add(key, now + delay, now);
      SayFailed(key, status);
    }
  }
  wake_();
}

absl::StatusOr<NextResponse> Session::Next() {
  const std::lock_guard lock(mutex_);
  if (closed_) return NextResponse{};
  if (notes_.empty()) {
    // The message is made just before it is written, since a key takes less memory.
    if (const auto key = wants_.TakeRefused()) {
      SayFailed(*key, tile::CheckKey(*key, *query_->world));
    }
  }
  if (!notes_.empty()) {
    NextResponse next{.response = std::move(notes_.front())};
    notes_.pop_front();
    return next;
  }
  auto ready = credit_.Allows() ? pending_.TakeReady() : std::nullopt;
  if (!ready) return NextResponse{.idle = pending_.asked() == 0 && plan_pace_.IsIdle()};
  wants_.Remove(ready->key);
  THALWEG_RETURN_IF_ERROR(MakeRoom(1));
  THALWEG_RETURN_IF_ERROR(sent_.AddSent(ready->key, ready->tile.facts));
  plan_.LearnFact();
  credit_.Spend(ready->tile.size());
  ++counters_.tiles_sent;
  counters_.tile_bytes_sent += ready->tile.size();
  return NextResponse{.response = TileResponse(std::move(ready->tile.bytes))};
}

void Session::SayFailed(const wire::TileKey& key, const absl::Status& status) {
  ++counters_.tiles_failed;
  notes_.push_back(FailedResponse(key, status));
}

bool Session::AcceptsMore() const {
  const std::lock_guard lock(mutex_);
  return notes_.size() + wants_.refused() < kMaxNotes;
}

SessionLoad Session::load() const {
  const std::lock_guard lock(mutex_);
  return {.wanted = wants_.wanted(),
          .queued = wants_.queued(),
          .refused = wants_.refused(),
          .sent_set = sent_.size(),
          .failed = failed_.size(),
          .notes = notes_.size(),
          .pending = pending_.size(),
          .unwanted = pending_.given_up(),
          .selected = plan_.selection().tiles().size(),
          .ahead = plan_.ahead()};
}

void Session::Close() {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(closed_, true)) counted_.End();
    pending_.GiveUp([](const wire::TileKey&) { return true; });
    notes_.clear();
    Hold(0);
  }
  CancelUnwanted();
}

}  // namespace thalweg::session
