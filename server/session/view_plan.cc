#include "server/session/view_plan.h"

#include <limits>
#include <tuple>
#include <utility>

#include "proto/geometry/tile_tree.h"
#include "proto/geometry/vector.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::session {
namespace {

constexpr double kMaxLookaheadS = 60;

sphere::Vector FromProto(const v1::Vector& vector) {
  return {vector.east(), vector.south(), vector.up()};
}

sphere::Vector FromProto(const v1::SpaceVector& vector) {
  return {vector.x(), vector.y(), vector.z()};
}

// Checks that the view does not have a field of the other shape's worlds.
absl::Status CheckAbsent(bool present, absl::string_view name, absl::string_view world) {
  if (!present) return absl::OkStatus();
  return wire::Excluded(absl::StrCat("view.", name), absl::StrCat("the world is ", world));
}

absl::Status SetOnPlane(const v1::View& message, lod::View& view) {
  constexpr absl::string_view kPlane = "a plane";
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_space_position_m(), "space_position_m", kPlane));
  THALWEG_RETURN_IF_ERROR(
      CheckAbsent(message.has_space_velocity_m_s(), "space_velocity_m_s", kPlane));
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_space_direction(), "space_direction", kPlane));
  view.position = FromProto(message.position_m());
  view.velocity = FromProto(message.velocity_m_s());
  view.direction = FromProto(message.direction());
  return absl::OkStatus();
}

absl::Status SetOnPlanet(const v1::View& message, lod::View& view) {
  constexpr absl::string_view kPlanet = "a planet";
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_position_m(), "position_m", kPlanet));
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_velocity_m_s(), "velocity_m_s", kPlanet));
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_direction(), "direction", kPlanet));
  if (!message.has_space_position_m()) {
    return wire::Missing("view.space_position_m", "a point in space, since the world is a planet");
  }
  view.position = FromProto(message.space_position_m());
  view.velocity = FromProto(message.space_velocity_m_s());
  view.direction = FromProto(message.space_direction());
  return absl::OkStatus();
}

// After this number of new facts the selection is made again: each fact may split a tile that
// seemed flat.
constexpr std::size_t kFactsToSelectAgain = 8;

// How many views sample the way ahead.
constexpr int kLooks = 3;

// After this part of the distance between two of these views, the way ahead is chosen again.
constexpr double kFlownShare = 0.25;

// Whether the camera moves, so that there is a way ahead.
bool FliesAhead(const SessionView& view) {
  return view.lookahead_s > 0 && sphere::Length(view.view.velocity) > 0;
}

// Whether the way ahead of one view can be used for another one: a little farther on, in the same
// direction.
bool IsOnTheWay(const SessionView& from, const SessionView& to) {
  constexpr double kSameVelocity = 0.02;
  constexpr double kSameDirection = 0.999;
  const lod::View& a = from.view;
  const lod::View& b = to.view;
  const double speed = sphere::Length(a.velocity);
  return sphere::Length(b.position - a.position) <=
             kFlownShare * speed * from.lookahead_s / kLooks &&
         sphere::Length(b.velocity - a.velocity) <= kSameVelocity * speed &&
         sphere::Dot(a.direction, b.direction) >=
             kSameDirection * sphere::Length(a.direction) * sphere::Length(b.direction) &&
         std::tie(a.vertical_fov_deg, a.aspect, a.viewport_height_px, a.tolerated_error_px,
                  a.range_m,
                  from.lookahead_s) == std::tie(b.vertical_fov_deg, b.aspect, b.viewport_height_px,
                                                b.tolerated_error_px, b.range_m, to.lookahead_s);
}

// Whether it is known if a tile is needed: its parent's facts decide.
bool IsSure(const wire::TileKey& key, ViewPlan::IsKnown is_known) {
  return key.level == 0 || is_known(lod::ParentOf(key));
}

}  // namespace

absl::StatusOr<SessionView> FromProto(const v1::View& message, wire::Shape shape) {
  SessionView view{.id = message.id(), .view = {}, .lookahead_s = message.lookahead_s()};
  THALWEG_RETURN_IF_ERROR(shape == wire::Shape::kPlane ? SetOnPlane(message, view.view)
                                                       : SetOnPlanet(message, view.view));
  view.view.vertical_fov_deg = message.vertical_fov_deg();
  view.view.aspect = message.aspect();
  view.view.viewport_height_px = static_cast<int>(std::min<std::uint32_t>(
      message.viewport_height_px(), std::numeric_limits<std::int32_t>::max()));
  view.view.tolerated_error_px = message.tolerated_error_px();
  if (message.range_m() != 0) view.view.range_m = message.range_m();
  THALWEG_RETURN_IF_ERROR(lod::CheckView(view.view));
  if (!(view.lookahead_s >= 0 && view.lookahead_s <= kMaxLookaheadS)) {
    return wire::Invalid("view.lookahead_s", absl::StrCat("0 to ", kMaxLookaheadS),
                         view.lookahead_s);
  }
  return view;
}

bool PlanDraft::Choose(const lod::WorldGrid& grid, lod::FactsOf facts_of) {
  if (selection_ != nullptr) return false;
  selection_ =
      std::make_shared<const lod::Selection>(lod::Selection::Of(view_.view, grid, facts_of));
  chose_ = true;
  return true;
}

void PlanDraft::LookAhead(const lod::WorldGrid& grid, lod::FactsOf facts_of) {
  std::vector<wire::TileKey>& ahead = ahead_.emplace();
  absl::flat_hash_set<wire::TileKey> seen;
  for (int look = 1; look <= kLooks; ++look) {
    const lod::View then = lod::Ahead(view_.view, view_.lookahead_s * look / kLooks);
    const lod::Selection selection = lod::Selection::Of(then, grid, facts_of);
    for (const lod::Wanted& tile : selection.tiles()) {
      if (tile.need != lod::Need::kInView || NeedsNow(tile.key)) continue;
      if (ahead.size() == kMaxTilesAhead) return;
      if (seen.insert(tile.key).second) ahead.push_back(tile.key);
    }
  }
}

void ViewPlan::Clear() {
  const std::uint64_t clears = clears_ + 1;
  *this = ViewPlan();
  clears_ = clears;
}

bool ViewPlan::MustChoose(bool pending) const {
  const bool done = next_ == selection_->tiles().size();
  return facts_ >= kFactsToSelectAgain || (done && facts_ > 0 && !pending);
}

bool ViewPlan::IsStale(bool pending) const {
  return view_ && (MustChoose(pending) || (!looked_ahead_ && !IsInView()));
}

PlanDraft ViewPlan::Begin(bool pending) {
  PlanDraft draft;
  draft.clears_ = clears_;
  draft.is_new_view_ = HasNewView();
  draft.view_ = draft.is_new_view_ ? *std::exchange(next_view_, std::nullopt) : *view_;
  choosing_ = draft.is_new_view_ || MustChoose(pending);
  if (choosing_) {
    facts_ = 0;
  } else {
    draft.selection_ = selection_;
  }
  return draft;
}

bool ViewPlan::MustLookAhead(const PlanDraft& draft) const {
  if (!FliesAhead(draft.view_)) return false;
  return !looked_ahead_ || (draft.is_new_view_ && !IsOnTheWay(looked_from_, draft.view_));
}

bool ViewPlan::Adopt(PlanDraft draft) {
  if (draft.clears_ != clears_) return false;
  choosing_ = false;
  view_ = draft.view_;
  selection_ = std::move(draft.selection_);
  if (draft.chose_) {
    next_ = 0;
    next_ahead_ = 0;
    // New facts may add tiles ahead; until the next choice the former tiles are used.
    if (!draft.is_new_view_) {
      looked_ahead_ = false;
    } else if (!looked_ahead_ || !IsOnTheWay(looked_from_, draft.view_)) {
      AdoptAhead(draft.view_, {});
      looked_ahead_ = false;
    }
  }
  if (draft.ahead_) {
    AdoptAhead(draft.view_, *std::move(draft.ahead_));
  } else if (!looked_ahead_ && !FliesAhead(draft.view_)) {
    AdoptAhead(draft.view_, {});
  }
  return true;
}

void ViewPlan::AdoptAhead(const SessionView& from, std::vector<wire::TileKey> ahead) {
  looked_ahead_ = true;
  looked_from_ = from;
  next_ahead_ = 0;
  ahead_ = std::move(ahead);
  ahead_keys_ = {ahead_.begin(), ahead_.end()};
}

std::optional<ViewPlan::Step> ViewPlan::Next(IsKnown is_known) {
  if (auto step = NextNow(lod::Need::kInView, is_known)) return step;
  if (!looked_ahead_) return std::nullopt;
  while (next_ahead_ < ahead_.size()) {
    const wire::TileKey key = ahead_[next_ahead_++];
    if (IsSure(key, is_known)) return Step{key, tile::Priority::kPrefetch};
  }
  return NextNow(lod::Need::kAround, is_known);
}

// The next tile of this need. The selection has the tiles in view before those around.
std::optional<ViewPlan::Step> ViewPlan::NextNow(lod::Need need, IsKnown is_known) {
  const std::vector<lod::Wanted>& tiles = selection_->tiles();
  while (next_ < tiles.size() && tiles[next_].need == need) {
    const lod::Wanted& tile = tiles[next_++];
    if (!IsSure(tile.key, is_known)) continue;
    return Step{tile.key, need == lod::Need::kInView ? tile::Priority::kInteractive
                                                     : tile::Priority::kPrefetch};
  }
  return std::nullopt;
}

}  // namespace thalweg::session
