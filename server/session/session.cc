#include "server/session/session.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/lod/tile_tree.h"
#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/session/tile_header.h"

namespace thalweg::session {
namespace {

// A client that lets so many answers wait is not read from.
constexpr std::size_t kMostNotes = 4'096;

// Credit is kept below what can overflow, whatever a client grants.
constexpr std::int64_t kMostCreditTiles = std::int64_t{1} << 32;
constexpr std::int64_t kMostCreditBytes = std::int64_t{1} << 48;

// The bytes of a SessionResponse up to those of its tile.
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

absl::Status CheckOpen(bool open) {
  if (open) return absl::OkStatus();
  return absl::InvalidArgumentError("session: the first message must be 'open'");
}

}  // namespace

Session::Session(const SessionContext& context, Wake wake)
    : context_(context),
      wake_(std::move(wake)),
      counters_(context.counters == nullptr ? uncounted_ : *context.counters) {
  ++counters_.begun;
  ++counters_.open;
}

Session::~Session() { Close(); }

absl::Status Session::Receive(const v1::SessionRequest& request) {
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return absl::CancelledError("session: closed");
    if (!request.has_open()) THALWEG_RETURN_IF_ERROR(CheckOpen(form_.has_value()));
    switch (request.request_case()) {
      case v1::SessionRequest::kOpen:
        status = Open(request.open());
        break;
      case v1::SessionRequest::kView:
        status = SetView(request.view());
        break;
      case v1::SessionRequest::kWant:
        status = Want(request.want());
        break;
      case v1::SessionRequest::kCancel:
        status = Cancel(request.cancel());
        break;
      case v1::SessionRequest::kHave:
        status = Have(request.have());
        break;
      case v1::SessionRequest::kDrop:
        status = Drop(request.drop());
        break;
      case v1::SessionRequest::kCredit:
        status = Grant(request.credit());
        break;
      case v1::SessionRequest::REQUEST_NOT_SET:
        status = absl::InvalidArgumentError("session: a message says nothing");
    }
  }
  CancelUnwanted();
  return status;
}

absl::Status Session::Open(const v1::OpenSession& open) {
  if (form_) return absl::InvalidArgumentError("session: it is open already");
  THALWEG_ASSIGN_OR_RETURN(auto world, context_.worlds->Find(open.world()));
  THALWEG_ASSIGN_OR_RETURN(
      form_, tile::ParseForm(world, open.layers(), open.precision(), v1::PRIORITY_INTERACTIVE));
  form_->layers.Add(v1::LAYER_HEIGHT);
  THALWEG_RETURN_IF_ERROR(context_.bill(*form_));
  world_ = open.world();
  grid_ = {.cell_size_m = world->level(0).cell_size_m, .levels = world->levels()};
  v1::SessionResponse response;
  v1::SessionOpened& opened = *response.mutable_opened();
  opened.set_world_id(world->id());
  opened.set_cell_size_m(grid_.cell_size_m);
  opened.set_levels(static_cast<std::uint32_t>(grid_.levels));
  Say(response);
  return absl::OkStatus();
}

absl::Status Session::SetView(const v1::View& message) {
  THALWEG_ASSIGN_OR_RETURN(const SessionView view, FromProto(message));
  if (plan_.view() && view.id <= plan_.view()->id) {
    return absl::InvalidArgumentError(absl::StrCat(
        "view: id is ", view.id, ": must be greater than the last one, ", plan_.view()->id));
  }
  // However long it lasts, a session uses its world.
  context_.worlds->MarkUsed(world_);
  plan_.SetView(view, grid_, FactsOf());
  settled_ = false;
  DropUnneeded();
  return absl::OkStatus();
}

absl::Status Session::Want(const v1::WantTiles& want) {
  THALWEG_ASSIGN_OR_RETURN(const field::Priority priority, tile::ParsePriority(want.priority()));
  tile::TileQuery query = *form_;
  query.priority = priority;
  THALWEG_RETURN_IF_ERROR(context_.bill(query));
  for (const v1::TileKey& message : want.keys()) {
    const wire::TileKey key = tile::FromProto(message);
    const absl::Status good = wire::CheckTileKey(key, grid_.levels);
    if (!good.ok()) {
      SayFailed(key, good);
      continue;
    }
    failed_.erase(key);
    THALWEG_RETURN_IF_ERROR(wants_.Add(key, priority));
  }
  return absl::OkStatus();
}

absl::Status Session::Cancel(const v1::CancelTiles& cancel) {
  for (const v1::TileKey& key : cancel.keys()) wants_.Remove(tile::FromProto(key));
  if (cancel.all()) {
    wants_.Clear();
    plan_.Clear();
    settled_ = true;
  }
  DropUnneeded();
  return absl::OkStatus();
}

absl::Status Session::Have(const v1::HaveTiles& have) {
  tile::TileQuery query = *form_;
  for (const v1::HaveTile& tile : have.tiles()) {
    query.key = tile::FromProto(tile.key());
    if (tile.tag() != tile::TagOf(query)) continue;
    THALWEG_RETURN_IF_ERROR(ledger_.AddKept(query.key, {.geometric_error = tile.geometric_error(),
                                                        .min_height = tile.min_height(),
                                                        .max_height = tile.max_height()}));
    plan_.LearnFact();
  }
  return absl::OkStatus();
}

absl::Status Session::Drop(const v1::DropTiles& drop) {
  for (const v1::TileKey& key : drop.keys()) ledger_.Drop(tile::FromProto(key));
  return absl::OkStatus();
}

absl::Status Session::Grant(const v1::GrantCredit& credit) {
  credit_tiles_ =
      std::min(credit_tiles_ + static_cast<std::int64_t>(credit.tiles()), kMostCreditTiles);
  const auto bytes = static_cast<std::int64_t>(
      std::min(credit.bytes(), static_cast<std::uint64_t>(kMostCreditBytes)));
  credit_bytes_ = std::min(credit_bytes_ + bytes, kMostCreditBytes);
  return absl::OkStatus();
}

// Work for another view, or for none, is given up before anything is asked for this one.
void Session::DropUnneeded() {
  const auto unneeded = [&](const wire::TileKey& key) {
    return !wants_.Has(key) && !plan_.Needs(key, FactsOf());
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
  const auto under_way = static_cast<std::int64_t>(asked_.size() + ready_.size());
  return !closed_ && form_ && credit_bytes_ > 0 && under_way < credit_tiles_ &&
         under_way < static_cast<std::int64_t>(kSessionWindowTiles);
}

std::optional<ViewPlan::Step> Session::NextStep() {
  for (const auto priority :
       {field::Priority::kInteractive, field::Priority::kPrefetch, field::Priority::kBake}) {
    if (const auto key = wants_.Take(priority)) return ViewPlan::Step{*key, priority};
    // The plan goes from what is in view to what is not.
    if (priority == field::Priority::kInteractive && !plan_.IsInView()) continue;
    if (auto step = plan_.Next(FactsOf(), !asked_.empty() || !ready_.empty())) return step;
  }
  return std::nullopt;
}

bool Session::IsMissing(const ViewPlan::Step& step) {
  const wire::TileKey& key = step.key;
  if (const auto asked = asked_.find(key); asked != asked_.end()) {
    if (asked->second.priority <= step.priority) return false;
    // To ask again makes it more urgent; the first question is cancelled after that.
    unwanted_.push_back(asked->second.ticket);
    asked_.erase(asked);
    return true;
  }
  if (ledger_.Has(key)) {
    // Named by itself, a tile that the client has is always answered.
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
  const auto failed = failed_.find(key);
  if (failed == failed_.end()) return true;
  if (context_.now() < failed->second) return false;
  failed_.erase(failed);
  return true;
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
  settled.set_failed(static_cast<std::uint32_t>(std::count_if(
      failed_.begin(), failed_.end(), [&](const auto& entry) { return pending(entry.first); })));
  Say(response);
}

void Session::Pump() {
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
  CancelUnwanted();
  wake_();
}

void Session::Ask(const tile::TileQuery& query, std::uint64_t number) {
  const auto ticket = context_.tiles->Get(query, [session = shared_from_this(), key = query.key,
                                                  number](absl::StatusOr<cache::TileBytes> bytes) {
    session->Arrive(key, number, std::move(bytes));
  });
  const std::lock_guard lock(mutex_);
  const auto asked = asked_.find(query.key);
  if (asked != asked_.end() && asked->second.number == number) {
    asked->second.ticket = ticket;
  } else {
    // Answered, or given up: cancelling what was answered does nothing.
    unwanted_.push_back(ticket);
  }
}

void Session::Arrive(const wire::TileKey& key, std::uint64_t number,
                     absl::StatusOr<cache::TileBytes> bytes) {
  {
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.find(key);
    if (closed_ || asked == asked_.end() || asked->second.number != number) return;
    asked_.erase(asked);
    const auto facts = bytes.ok() ? ReadFacts(**bytes) : bytes.status();
    if (facts.ok()) {
      ready_.emplace(number, Ready{key, *std::move(bytes), *facts});
    } else {
      wants_.Remove(key);
      const auto delay = wire::RetryDelayOf(facts.status()).value_or(kRetryAfter);
      failed_.insert_or_assign(key, context_.now() + delay);
      SayFailed(key, facts.status());
    }
  }
  wake_();
}

// A tile may be encoded before its parent is, though it was asked for later.
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

std::optional<Outgoing> Session::Next() {
  const std::lock_guard lock(mutex_);
  if (closed_) return std::nullopt;
  if (!notes_.empty()) {
    Outgoing note = std::move(notes_.front());
    notes_.pop_front();
    return note;
  }
  if (credit_tiles_ <= 0 || credit_bytes_ <= 0) return std::nullopt;
  std::optional<Ready> ready = TakeReady();
  if (!ready) return std::nullopt;
  wants_.Remove(ready->key);
  if (absl::Status added = ledger_.AddSent(ready->key, ready->facts); !added.ok()) {
    failure_ = std::move(added);
    return std::nullopt;
  }
  plan_.LearnFact();
  --credit_tiles_;
  credit_bytes_ -= static_cast<std::int64_t>(ready->bytes->size());
  ++counters_.tiles_sent;
  counters_.tile_bytes_sent += ready->bytes->size();
  return Outgoing{.head = HeadOf(ready->bytes->size()), .tile = std::move(ready->bytes)};
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
  return notes_.size() < kMostNotes;
}

bool Session::IsIdle() const {
  const std::lock_guard lock(mutex_);
  return asked_.empty();
}

void Session::Close() {
  {
    const std::lock_guard lock(mutex_);
    // The counters need not be there any more after this.
    if (!std::exchange(closed_, true)) {
      SetStalled(false);
      --counters_.open;
    }
    for (const auto& [key, asked] : asked_) unwanted_.push_back(asked.ticket);
    asked_.clear();
    ready_.clear();
    notes_.clear();
  }
  CancelUnwanted();
}

absl::Status Session::status() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace thalweg::session
