// When and how a session's plans are made.
#include <algorithm>
#include <memory>
#include <utility>

#include "server/session/session.h"

namespace thalweg::session {
namespace {

// A plan that takes longer than this counts for several.
constexpr double kPlanSeconds = kPlanShare / kPlansPerS;

}  // namespace

bool Session::IsPlanDue() const {
  const bool under_way = UnderWay() > 0;
  // Without credit no tile can be asked for; a plan can only give tiles up.
  if (plan_.HasNewView() && under_way) return true;
  return MayAsk() && (plan_.HasNewView() || plan_.IsStale(under_way));
}

void Session::PlanIfDue() {
  TimePoint at;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || planning_ != Planning::kNone || !IsPlanDue()) return;
    const TimePoint now = context_.now();
    at = now + plan_rate_.Wait(now);
    planning_ = at == now ? Planning::kNow : Planning::kLater;
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
    planning_ = Planning::kNone;
  }
  PlanIfDue();
  CancelUnwanted();
  wake_();
}

bool Session::MakePlan() {
  PlanDraft draft;
  TimePoint begun;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || !IsPlanDue()) return false;
    planning_ = Planning::kNow;
    begun = context_.now();
    draft = plan_.Begin(UnderWay() > 0);
  }
  // Without the lock, so that messages are read and tiles are written meanwhile.
  LedgerFacts facts(ledger_);
  if (!draft.Choose(grid_, facts) || MustLookAheadNow(draft)) draft.LookAhead(grid_, facts);
  const std::lock_guard lock(mutex_);
  const TimePoint now = context_.now();
  const double took_s = std::chrono::duration<double>(now - begun).count();
  plan_rate_.Take(std::max(1.0, took_s / kPlanSeconds), now);
  planning_ = Planning::kLater;
  const bool is_new_view = draft.is_new_view();
  if (plan_.Adopt(std::move(draft)) && is_new_view) DropUnneeded();
  return true;
}

// Which tiles a new view gives up is known only with its way ahead.
bool Session::MustLookAheadNow(const PlanDraft& draft) const {
  const std::lock_guard lock(mutex_);
  if (!draft.is_new_view() || !plan_.MustLookAhead(draft)) return false;
  const auto unneeded = [&](const wire::TileKey& key) {
    return !wants_.Has(key) && !draft.NeedsNow(key);
  };
  return std::any_of(asked_.begin(), asked_.end(),
                     [&](const auto& entry) { return unneeded(entry.first); }) ||
         std::any_of(ready_.begin(), ready_.end(),
                     [&](const auto& entry) { return unneeded(entry.second.key); });
}

}  // namespace thalweg::session
