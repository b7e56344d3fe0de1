// When and how a session's plans are made.
#include <memory>
#include <utility>

#include "server/session/session.h"

namespace thalweg::session {

bool Session::IsPlanDue() const {
  const bool under_way = under_way_.size() > 0;
  // Without credit no tile can be asked for, so a plan is only useful if it can give tiles up.
  if (plan_.HasNewView() && under_way) return true;
  return MayAsk() && (plan_.HasNewView() || plan_.IsStale(under_way));
}

void Session::PlanIfDue() {
  TimePoint at;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || !plan_pace_.IsIdle() || !IsPlanDue()) return;
    at = plan_pace_.Schedule(context_.now());
  }
  context_.planner->Post(at, [session = weak_from_this()] {
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
    draft = plan_.Begin(under_way_.size() > 0);
  }
  // Done without the lock, so that messages are read and tiles are written meanwhile.
  LedgerFacts facts(ledger_);
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
  return under_way_.HasAny(
      [&](const wire::TileKey& key) { return !wants_.Has(key) && !draft.NeedsNow(key); });
}

}  // namespace thalweg::session
