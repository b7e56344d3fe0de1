#include "server/session/session.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <utility>

#include "proto/lod/tile_tree.h"
#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"

namespace thalweg::session {
namespace {

// The bytes of a SessionResponse before those of its tile.
std::string HeadOf(std::size_t tile_bytes) {
  using google::protobuf::internal::WireFormatLite;
  using google::protobuf::io::CodedOutputStream;
  std::uint8_t head[2 * 10];
  std::uint8_t* end = CodedOutputStream::WriteVarint32ToArray(
      WireFormatLite::MakeTag(v1::SessionResponse::kTileFieldNumber,
                              WireFormatLite::WIRETYPE_LENGTH_DELIMITED),
      head);
  end = CodedOutputStream::WriteVarint64ToArray(tile_bytes, end);
  return {reinterpret_cast<const char*>(head), static_cast<std::size_t>(end - head)};
}

}  // namespace

Session::Session(const SessionContext& context, Wake wake)
    : context_(context),
      wake_(std::move(wake)),
      share_(context_.room, context_.caller),
      plan_rate_(kPlansPerS, context_.now()),
      counters_(*context.counters) {
  ++counters_.begun;
  ++counters_.open;
}

Session::~Session() { Close(); }

std::size_t Session::Entries() const {
  return wants_.wanted() + wants_.refused() + ledger_.size() + failed_.size() + notes_.size();
}

absl::Status Session::MakeRoom(std::size_t more) {
  if (share_.Hold(Entries() + more)) return absl::OkStatus();
  absl::Status full = absl::ResourceExhaustedError(
      "session: session_memory_mb of the server is full for this caller; drop tiles (DropTiles), "
      "end unused sessions, or try again later");
  wire::SetRetryDelay(full, kRetryAfter);
  return full;
}

// Tiles that this view does not need are given up before others are asked for.
void Session::DropUnneeded() {
  const auto unneeded = [&](const wire::TileKey& key) {
    return !wants_.Has(key) && !plan_.Needs(key);
  };
  absl::erase_if(asked_, [&](const auto& entry) {
    if (!unneeded(entry.first)) return false;
    unwanted_.push_back(entry.second.ticket);
    return true;
  });
  std::erase_if(ready_, [&](const auto& entry) { return unneeded(entry.second.key); });
}

void Session::CancelUnwanted() {
  std::vector<tile::TileService::Ticket> tickets;
  {
    const std::lock_guard lock(mutex_);
    tickets.swap(unwanted_);
  }
  for (const tile::TileService::Ticket ticket : tickets) context_.tiles->Cancel(ticket);
}

bool Session::MayAsk() const {
  return !closed_ && form_ && notes_.size() < kMaxNotes && credit_bytes_ > 0 &&
         static_cast<std::int64_t>(UnderWay()) < credit_tiles_ && UnderWay() < window_tiles_;
}

std::optional<ViewPlan::Step> Session::NextStep() {
  for (const auto priority :
       {field::Priority::kInteractive, field::Priority::kPrefetch, field::Priority::kBake}) {
    if (const auto key = wants_.Take(priority)) return ViewPlan::Step{*key, priority};
    if (planning_ == Planning::kNow) continue;
    // The plan goes from what is in view to what is not.
    if (priority == field::Priority::kInteractive && !plan_.IsInView()) continue;
    const auto is_known = [this](const wire::TileKey& key) { return ledger_.Has(key); };
    if (auto step = plan_.Next(is_known)) return step;
  }
  return std::nullopt;
}

bool Session::IsMissing(const ViewPlan::Step& step) {
  const wire::TileKey& key = step.key;
  if (const auto asked = asked_.find(key); asked != asked_.end()) {
    if (asked->second.priority <= step.priority) return false;
    // Asking again makes it more urgent; only then is the first question cancelled.
    unwanted_.push_back(asked->second.ticket);
    asked_.erase(asked);
    return true;
  }
  if (ledger_.Has(key)) {
    // A tile that the client asks for by name is answered even if it has the tile.
    if (ledger_.TakeUntold(key) || wants_.Has(key)) {
      v1::SessionResponse response;
      *response.mutable_unchanged()->mutable_key() = tile::ToProto(key);
      ++counters_.tiles_unchanged;
      Say(response);
    }
    wants_.Remove(key);
    return false;
  }
  if (std::any_of(ready_.begin(), ready_.end(),
                  [&key](const auto& entry) { return entry.second.key == key; })) {
    return false;
  }
  return !failed_.Holds(key, context_.now());
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
  const bool wants_more = !ready_.empty() || !settled_ || !wants_.IsEmpty();
  SetStalled(wants_more && asked_.empty() && (credit_tiles_ <= 0 || credit_bytes_ <= 0));
}

void Session::SetStalled(bool stalled) {
  if (stalled_ == stalled) return;
  stalled_ = stalled;
  counters_.stalled += stalled ? 1 : -1;
  if (stalled) ++counters_.credit_stalls;
}

void Session::Settle() {
  if (settled_ || !plan_.PassedNow()) return;
  const auto pending = [this](const wire::TileKey& key) { return plan_.NeedsNow(key); };
  if (std::any_of(asked_.begin(), asked_.end(),
                  [&](const auto& entry) { return pending(entry.first); }) ||
      std::any_of(ready_.begin(), ready_.end(),
                  [&](const auto& entry) { return pending(entry.second.key); })) {
    return;
  }
  settled_ = true;
  v1::SessionResponse response;
  v1::ViewSettled& settled = *response.mutable_settled();
  settled.set_view_id(plan_.view()->id);
  settled.set_tiles(static_cast<std::uint32_t>(plan_.selection().tiles().size()));
  settled.set_failed(static_cast<std::uint32_t>(failed_.Count(pending)));
  Say(response);
}

void Session::Pump() {
  PlanIfDue();
  AskForAll();
  // The tile may have been the last one that is known to be needed.
  PlanIfDue();
  CancelUnwanted();
  wake_();
}

void Session::AskForAll() {
  for (;;) {
    tile::TileQuery query;
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      const auto step = TakeStep();
      if (!step) break;
      query = *form_;
      query.key = step->key;
      query.priority = step->priority;
      number = next_number_++;
      asked_.emplace(step->key, Asked{.number = number, .priority = step->priority});
    }
    Ask(query, number);
  }
}

void Session::Ask(const tile::TileQuery& query, std::uint64_t number) {
  const auto ticket =
      context_.tiles->Get(query, [session = shared_from_this(), key = query.key,
                                  number](absl::StatusOr<cache::FinishedTile> tile) {
        session->Arrive(key, number, std::move(tile));
      });
  const std::lock_guard lock(mutex_);
  const auto asked = asked_.find(query.key);
  if (asked != asked_.end() && asked->second.number == number) {
    asked->second.ticket = ticket;
  } else if (ticket != tile::TileService::kAnswered) {
    // It was answered meanwhile, which makes Cancel a no-op, or given up.
    unwanted_.push_back(ticket);
  }
}

void Session::Arrive(const wire::TileKey& key, std::uint64_t number,
                     absl::StatusOr<cache::FinishedTile> tile) {
  {
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.find(key);
    if (closed_ || asked == asked_.end() || asked->second.number != number) return;
    asked_.erase(asked);
    if (tile.ok()) {
      ready_.emplace(number, Ready{key, *std::move(tile)});
    } else {
      wants_.Remove(key);
      const auto delay = wire::RetryDelayOf(tile.status()).value_or(kRetryAfter);
      const TimePoint now = context_.now();
      failed_.Add(key, now + delay, now);
      SayFailed(key, tile.status());
    }
  }
  wake_();
}

// A tile may be encoded before its parent, though it was asked for later.
std::optional<Session::Ready> Session::TakeReady() {
  const auto place = std::find_if(ready_.begin(), ready_.end(), [this](const auto& entry) {
    const wire::TileKey& key = entry.second.key;
    return key.level == 0 || !asked_.contains(lod::ParentOf(key));
  });
  if (place == ready_.end()) return std::nullopt;
  Ready ready = std::move(place->second);
  ready_.erase(place);
  return ready;
}

absl::StatusOr<Turn> Session::Next() {
  const std::lock_guard lock(mutex_);
  if (closed_) return Turn{};
  if (notes_.empty()) {
    // The message is made just before it is written: a key takes less room.
    if (const auto key = wants_.TakeRefused()) {
      SayFailed(*key, tile::CheckKey(*key, *form_->world));
    }
  }
  if (!notes_.empty()) {
    Turn turn{.response = std::move(notes_.front())};
    notes_.pop_front();
    return turn;
  }
  const bool may_send = credit_tiles_ > 0 && credit_bytes_ > 0;
  std::optional<Ready> ready = may_send ? TakeReady() : std::nullopt;
  if (!ready) return Turn{.idle = asked_.empty() && planning_ == Planning::kNone};
  wants_.Remove(ready->key);
  THALWEG_RETURN_IF_ERROR(MakeRoom(1));
  THALWEG_RETURN_IF_ERROR(ledger_.AddSent(ready->key, ready->tile.facts));
  plan_.LearnFact();
  --credit_tiles_;
  credit_bytes_ -= static_cast<std::int64_t>(ready->tile.size());
  ++counters_.tiles_sent;
  counters_.tile_bytes_sent += ready->tile.size();
  return Turn{.response = Outgoing{.head = HeadOf(ready->tile.size()),
                                   .tile = std::move(ready->tile.bytes)}};
}

void Session::Say(const v1::SessionResponse& response) {
  notes_.push_back({.head = response.SerializeAsString(), .tile = nullptr});
}

void Session::SayFailed(const wire::TileKey& key, const absl::Status& status) {
  ++counters_.tiles_failed;
  v1::SessionResponse response;
  v1::TileFailed& failed = *response.mutable_failed();
  *failed.mutable_key() = tile::ToProto(key);
  failed.set_code(static_cast<std::uint32_t>(status.code()));
  failed.set_message(std::string(status.message()));
  if (const auto delay = wire::RetryDelayOf(status)) {
    failed.set_retry_after_ms(static_cast<std::uint32_t>(delay->count()));
  }
  Say(response);
}

bool Session::TakesMore() const {
  const std::lock_guard lock(mutex_);
  return notes_.size() + wants_.refused() < kMaxNotes;
}

SessionLoad Session::load() const {
  const std::lock_guard lock(mutex_);
  return {.wanted = wants_.wanted(),
          .queued = wants_.queued(),
          .refused = wants_.refused(),
          .ledger = ledger_.size(),
          .failed = failed_.size(),
          .notes = notes_.size(),
          .under_way = UnderWay(),
          .unwanted = unwanted_.size(),
          .selected = plan_.selection().tiles().size(),
          .ahead = plan_.ahead()};
}

void Session::Close() {
  {
    const std::lock_guard lock(mutex_);
    // The counters may be destroyed after this.
    if (!std::exchange(closed_, true)) {
      SetStalled(false);
      --counters_.open;
    }
    for (const auto& [key, asked] : asked_) unwanted_.push_back(asked.ticket);
    asked_.clear();
    ready_.clear();
    notes_.clear();
    // So may the room.
    share_.Hold(0);
  }
  CancelUnwanted();
}

}  // namespace thalweg::session
