#include "server/session/view_plan.h"

#include <tuple>

#include "proto/lod/tile_tree.h"

namespace thalweg::session {
namespace {

// So many facts make it worth while to select again: each may split a tile that looked flat.
constexpr std::size_t kFactsToSelectAgain = 8;

// The way ahead is looked at so often.
constexpr int kLooks = 3;

// Such a share of the distance between two looks may be flown before the way is looked at anew.
constexpr double kFlownShare = 0.25;

// Whether what was seen ahead from one view is what another one would see: a little farther on, the
// same way.
bool IsOnTheWay(const SessionView& from, const SessionView& to) {
  constexpr double kSameVelocity = 0.02;
  constexpr double kSameDirection = 0.999;
  const lod::View& a = from.view;
  const lod::View& b = to.view;
  const double speed = lod::Length(a.velocity);
  return lod::Length(b.position - a.position) <= kFlownShare * speed * from.lookahead_s / kLooks &&
         lod::Length(b.velocity - a.velocity) <= kSameVelocity * speed &&
         lod::Dot(a.direction, b.direction) >=
             kSameDirection * lod::Length(a.direction) * lod::Length(b.direction) &&
         std::tie(a.vertical_fov_deg, a.aspect, a.viewport_height_px, a.tolerated_error_px,
                  a.range_m,
                  from.lookahead_s) == std::tie(b.vertical_fov_deg, b.aspect, b.viewport_height_px,
                                                b.tolerated_error_px, b.range_m, to.lookahead_s);
}

}  // namespace

void ViewPlan::SetView(const SessionView& view, const lod::Grid& grid, lod::FactsOf facts_of) {
  view_ = view;
  grid_ = grid;
  Select(facts_of);
  if (looked_ahead_ && !IsOnTheWay(looked_from_, view)) ForgetAhead();
}

void ViewPlan::Select(lod::FactsOf facts_of) {
  selection_ = lod::Selection::Of(view_->view, grid_, facts_of);
  next_ = 0;
  facts_ = 0;
  next_ahead_ = 0;
}

void ViewPlan::ForgetAhead() {
  looked_ahead_ = false;
  ahead_.clear();
  ahead_keys_.clear();
}

void ViewPlan::LookAhead(lod::FactsOf facts_of) {
  looked_ahead_ = true;
  looked_from_ = *view_;
  if (view_->lookahead_s == 0 || lod::Length(view_->view.velocity) == 0) return;
  for (int look = 1; look <= kLooks; ++look) {
    const lod::View then = lod::Ahead(view_->view, view_->lookahead_s * look / kLooks);
    const lod::Selection selection = lod::Selection::Of(then, grid_, facts_of);
    for (const lod::Wanted& tile : selection.tiles()) {
      if (tile.need != lod::Need::kInView || NeedsNow(tile.key)) continue;
      if (ahead_keys_.insert(tile.key).second) ahead_.push_back(tile.key);
    }
  }
}

bool ViewPlan::IsSure(const wire::TileKey& key, lod::FactsOf facts_of) {
  return key.level == 0 || facts_of(lod::ParentOf(key)) != nullptr;
}

std::optional<ViewPlan::Step> ViewPlan::Next(lod::FactsOf facts_of, bool under_way) {
  if (!view_) return std::nullopt;
  const bool done = next_ == selection_.tiles().size();
  if (facts_ >= kFactsToSelectAgain || (done && facts_ > 0 && !under_way)) {
    Select(facts_of);
    ForgetAhead();
  }
  if (auto step = NextNow(lod::Need::kInView, facts_of)) return step;
  if (!looked_ahead_) LookAhead(facts_of);
  while (next_ahead_ < ahead_.size()) {
    const wire::TileKey key = ahead_[next_ahead_++];
    if (IsSure(key, facts_of)) return Step{key, field::Priority::kPrefetch};
  }
  return NextNow(lod::Need::kAround, facts_of);
}

// The selection has what is in view before what is around.
std::optional<ViewPlan::Step> ViewPlan::NextNow(lod::Need need, lod::FactsOf facts_of) {
  while (next_ < selection_.tiles().size() && selection_.tiles()[next_].need == need) {
    const lod::Wanted& tile = selection_.tiles()[next_++];
    if (!IsSure(tile.key, facts_of)) continue;
    return Step{tile.key, need == lod::Need::kInView ? field::Priority::kInteractive
                                                     : field::Priority::kPrefetch};
  }
  return std::nullopt;
}

bool ViewPlan::Needs(const wire::TileKey& key, lod::FactsOf facts_of) {
  if (NeedsNow(key)) return true;
  if (!looked_ahead_ && view_) LookAhead(facts_of);
  return ahead_keys_.contains(key);
}

}  // namespace thalweg::session
