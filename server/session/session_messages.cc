// How a session handles its client's messages.
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/session/session.h"

namespace thalweg::session {
namespace {

absl::Status CheckOpen(bool open) {
  if (open) return absl::OkStatus();
  return absl::InvalidArgumentError("the session's first message is not 'open'");
}

absl::Status CheckCount(const char* field, int count) {
  if (count <= kMaxKeysPerMessage) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("invalid ", field, ": expected max ",
                                                 kMaxKeysPerMessage, ", got ", count,
                                                 "; send them in several messages"));
}

}  // namespace

// When and how a session's plans are made.
bool Session::IsPlanDue() const {
  const bool pending = pending_.size() > 0;
  // Without credit no tile can be asked for, so a plan is only useful if it can give tiles up.
  if (plan_.HasNewView() && pending) return true;
  return MayAsk() && (plan_.HasNewView() || plan_.IsStale(pending));
}

void Session::PlanIfDue() {
  TimePoint at;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || !plan_pace_.IsIdle() || !IsPlanDue()) return;
    at = plan_pace_.Schedule(context_.now());
  }
  context_.timer->Post(at, [session = weak_from_this()] {
    if (const auto held = session.lock()) held->Plan();
  });
}

void Session::Plan() {
  if (MakePlan()) {
    // The draft's tiles are asked for before another plan can delay them.
    CancelUnwanted();
    AskForAll();
  }
  {
    const std::lock_guard lock(mutex_);
    plan_pace_.End();
  }
  PlanIfDue();
  CancelUnwanted();
  wake_();
}

bool Session::MakePlan() {
  PlanDraft draft;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || !IsPlanDue()) return false;
    plan_pace_.Begin(context_.now());
    draft = plan_.Begin(pending_.size() > 0);
  }
  // Done without the lock, so that messages are read and tiles are written meanwhile.
  SentFacts facts(sent_);
  if (!draft.Choose(grid_, facts) || MustLookAheadNow(draft)) draft.LookAhead(grid_, facts);
  const std::lock_guard lock(mutex_);
  plan_pace_.Follow(context_.now());
  const bool is_new_view = draft.is_new_view();
  if (plan_.Adopt(std::move(draft)) && is_new_view) DropUnneeded();
  return true;
}

// Whether the way ahead must be chosen now: only then is known which tiles a new view gives up.
bool Session::MustLookAheadNow(const PlanDraft& draft) const {
  const std::lock_guard lock(mutex_);
  if (!draft.is_new_view() || !plan_.MustLookAhead(draft)) return false;
  return pending_.HasAny(
      [&](const wire::TileKey& key) { return !wants_.Has(key) && !draft.NeedsNow(key); });
}

absl::Status Session::Receive(const v1::SessionRequest& request) {
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return absl::CancelledError("session: closed already");
    if (!request.has_open()) THALWEG_RETURN_IF_ERROR(CheckOpen(query_.has_value()));
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
        status = absl::InvalidArgumentError("the message has no request that this server knows");
    }
    Hold(Entries());
  }
  CancelUnwanted();
  return status;
}

absl::Status Session::Open(const v1::OpenSession& open) {
  if (query_)
    return absl::InvalidArgumentError("the session is open already: 'open' was sent twice");
  THALWEG_ASSIGN_OR_RETURN(auto world, context_.worlds->Find(open.world()));
  THALWEG_ASSIGN_OR_RETURN(query_, tile::ParseWithoutKey(world, open.layers(), open.precision(),
                                                         v1::PRIORITY_INTERACTIVE));
  query_->layers.Add(v1::LAYER_HEIGHT);
  THALWEG_RETURN_IF_ERROR(context_.bill(*query_));
  world_ = open.world();
  grid_ = {.cell_size_m = world->level(0).cell_size_m,
           .levels = world->levels(),
           .radius_m = world->spec().sphere().radius_m()};
  pending_.SetLayers(query_->layers.List().size());
  notes_.push_back(OpenedResponse(*world, grid_));
  return absl::OkStatus();
}

// Checks a view and keeps it for the next plan; only the newest view is planned.
absl::Status Session::SetView(const v1::View& message) {
  THALWEG_ASSIGN_OR_RETURN(const SessionView view, FromProto(message, lod::ShapeOf(grid_)));
  if (last_view_id_ && view.id <= *last_view_id_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "invalid view.id: expected more than ", *last_view_id_, ", the last one, got ", view.id));
  }
  last_view_id_ = view.id;
  // Each view counts as a use of the session's world.
  context_.worlds->MarkUsed(world_);
  plan_.SetView(view);
  settled_ = false;
  return absl::OkStatus();
}

absl::Status Session::Want(const v1::WantTiles& want) {
  THALWEG_RETURN_IF_ERROR(CheckCount("want.keys", want.keys_size()));
  THALWEG_ASSIGN_OR_RETURN(const tile::Priority priority, tile::ParsePriority(want.priority()));
  THALWEG_RETURN_IF_ERROR(MakeRoom(static_cast<std::size_t>(want.keys_size())));
  tile::TileQuery query = *query_;
  query.priority = priority;
  THALWEG_RETURN_IF_ERROR(context_.bill(query));
  for (const v1::TileKey& message : want.keys()) {
    const wire::TileKey key = tile::FromProto(message);
    if (!tile::CheckKey(key, *query_->world).ok()) {
      THALWEG_RETURN_IF_ERROR(wants_.Refuse(key));
      continue;
    }
    failed_.Remove(key);
    THALWEG_RETURN_IF_ERROR(wants_.Add(key, priority));
  }
  return absl::OkStatus();
}

absl::Status Session::Cancel(const v1::CancelTiles& cancel) {
  THALWEG_RETURN_IF_ERROR(CheckCount("cancel.keys", cancel.keys_size()));
  for (const v1::TileKey& key : cancel.keys()) wants_.Remove(tile::FromProto(key));
  if (cancel.all()) {
    wants_.Clear();
    plan_.Clear();
    last_view_id_.reset();
    settled_ = true;
  }
  DropUnneeded();
  return absl::OkStatus();
}

absl::Status Session::Have(const v1::HaveTiles& have) {
  THALWEG_RETURN_IF_ERROR(CheckCount("have.tiles", have.tiles_size()));
  // Without room the tiles are not remembered, and are sent again if they are needed.
  if (!Hold(Entries() + static_cast<std::size_t>(have.tiles_size()))) {
    return absl::OkStatus();
  }
  tile::TileQuery query = *query_;
  for (const v1::HaveTile& tile : have.tiles()) {
    query.key = tile::FromProto(tile.key());
    if (!tile::CheckKey(query.key, *query_->world).ok()) continue;
    if (tile.tag() != tile::TagOf(query)) continue;
    THALWEG_RETURN_IF_ERROR(sent_.AddKept(query.key, {.geometric_error = tile.geometric_error(),
                                                      .min_height = tile.min_height(),
                                                      .max_height = tile.max_height()}));
    plan_.LearnFact();
  }
  return absl::OkStatus();
}

absl::Status Session::Drop(const v1::DropTiles& drop) {
  THALWEG_RETURN_IF_ERROR(CheckCount("drop.keys", drop.keys_size()));
  for (const v1::TileKey& key : drop.keys()) sent_.Drop(tile::FromProto(key));
  return absl::OkStatus();
}

absl::Status Session::Grant(const v1::GrantCredit& credit) {
  credit_.Grant(credit.tiles(), credit.bytes());
  return absl::OkStatus();
}

}  // namespace thalweg::session
