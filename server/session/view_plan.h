// The tiles that a view needs, in order.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "proto/geometry/selection.h"
#include "proto/geometry/view.h"
#include "proto/wire/tile_key.h"
#include "server/sharing/rate_limiter.h"
#include "server/tile/tile_query.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

// A client's view, after the checks.
struct SessionView {
  std::uint64_t id = 0;
  lod::View view;
  // How many seconds ahead to look along the velocity.
  double lookahead_s = 0;
};

// A view of a world of this shape. INVALID_ARGUMENT names a field that is out of range, or belongs
// to the other shape's worlds.
absl::StatusOr<SessionView> FromProto(const v1::View& message, wire::Shape shape);

// The max number of plans in a second, also after a pause; and the max average part of a thread's
// time that plans may take.
inline constexpr double kPlansPerS = 60;
inline constexpr double kPlanShare = 0.5;

// A session's plan: it is scheduled, made, then followed; one at a time. Not thread-safe.
class PlanPace {
 public:
  explicit PlanPace(sharing::Time now) : rate_(kPlansPerS, now) {}

  // Whether no plan is scheduled, made or followed.
  bool IsIdle() const { return state_ == State::kIdle; }
  // Whether a plan is being made, or about to be.
  bool IsMaking() const { return state_ == State::kMaking; }

  // Returns the time when the next plan may be made.
  sharing::Time Schedule(sharing::Time now) {
    const sharing::Time at = now + rate_.Wait(now);
    state_ = at == now ? State::kMaking : State::kOnItsWay;
    return at;
  }
  void Begin(sharing::Time now) {
    begun_ = now;
    state_ = State::kMaking;
  }
  void Follow(sharing::Time now) {
    // A plan that takes longer than this counts as several plans.
    constexpr double kPlanSeconds = kPlanShare / kPlansPerS;
    rate_.Consume(std::max(1.0, std::chrono::duration<double>(now - begun_).count() / kPlanSeconds),
                  now);
    state_ = State::kOnItsWay;
  }
  void End() { state_ = State::kIdle; }

 private:
  enum class State {
    kIdle,
    // The plan waits for its time, and the one before it is followed; or it was made.
    kOnItsWay,
    kMaking,
  };

  sharing::RateLimiter rate_;
  sharing::Time begun_;
  State state_ = State::kIdle;
};

// The max number of tiles along the way ahead.
inline constexpr std::size_t kMaxTilesAhead = 8'192;

// The part of a plan that takes milliseconds. ViewPlan begins it; it is worked out apart from the
// plan, without a lock; and ViewPlan adopts it.
class PlanDraft {
 public:
  bool is_new_view() const { return is_new_view_; }

  // Chooses the tiles of the picture and around it. False if the plan has these already, and only
  // the way ahead must be chosen.
  bool Choose(const lod::WorldGrid& grid, lod::FactsOf facts_of);
  // Chooses the tiles along the way ahead. Called after Choose.
  void LookAhead(const lod::WorldGrid& grid, lod::FactsOf facts_of);
  // Whether the view needs a tile, not counting the way ahead. Called after Choose.
  bool NeedsNow(const wire::TileKey& key) const { return selection_->Find(key) != nullptr; }

 private:
  friend class ViewPlan;

  SessionView view_;
  bool is_new_view_ = false;
  bool chose_ = false;
  std::shared_ptr<const lod::Selection> selection_ = nullptr;
  std::optional<std::vector<wire::TileKey>> ahead_ = std::nullopt;
  // The plan's count of Clear calls at the start: a draft from before a Clear is not adopted.
  std::uint64_t clears_ = 0;
};

// Lists the tiles of a view's picture, then those along its way ahead, then those around it. More
// facts become known while tiles come, so the plan is made again after every few facts, and when it
// seems done. Not thread-safe.
class ViewPlan {
 public:
  struct Step {
    wire::TileKey key;
    tile::Priority priority = tile::Priority::kInteractive;
  };
  // Whether the facts of a tile are known.
  using IsKnown = absl::FunctionRef<bool(const wire::TileKey&)>;

  // Sets the view of the next draft, in place of one that was set before and is not drafted yet.
  void SetView(const SessionView& view) { next_view_ = view; }
  void Clear();
  // A tile has come, so a new selection may differ.
  void LearnFact() { ++facts_; }

  // Whether there is a view to draft.
  bool HasNewView() const { return next_view_.has_value(); }
  // Whether a new draft is due. While tiles are under way, it waits for several facts.
  bool IsStale(bool pending) const;
  // Begins the draft that is due. It must be adopted before the next one begins.
  PlanDraft Begin(bool pending);
  // Whether the way ahead must be chosen for a draft's view; false if an earlier one can be used.
  bool MustLookAhead(const PlanDraft& draft) const;
  // False if the draft is from before a Clear.
  bool Adopt(PlanDraft draft);

  // The next tile that the view needs; the caller checks whether the client has it. Skips tiles
  // whose parent's facts are unknown, since it is unknown whether they are needed. Empty if all
  // were given, up to the end of the way ahead, or if the way ahead must be chosen first.
  std::optional<Step> Next(IsKnown is_known);

  // Whether the drafted view needs a tile, now or along its way ahead.
  bool Needs(const wire::TileKey& key) const { return NeedsNow(key) || ahead_keys_.contains(key); }
  bool NeedsNow(const wire::TileKey& key) const { return selection_->Find(key) != nullptr; }

  // Whether the next tile is one of the picture.
  bool IsInView() const {
    return next_ < selection_->tiles().size() &&
           selection_->tiles()[next_].need == lod::Need::kInView;
  }
  // Whether all tiles that are needed now, also around the picture, were given, and no view or fact
  // that waits could change that.
  bool PassedNow() const {
    return !next_view_ && !choosing_ && next_ == selection_->tiles().size() && facts_ == 0;
  }
  // The view that the selection belongs to.
  const std::optional<SessionView>& view() const { return view_; }
  const lod::Selection& selection() const { return *selection_; }
  // The number of tiles along the way ahead.
  std::size_t ahead() const { return ahead_.size(); }

 private:
  bool MustChoose(bool pending) const;
  void AdoptAhead(const SessionView& from, std::vector<wire::TileKey> ahead);
  std::optional<Step> NextNow(lod::Need need, IsKnown is_known);

  std::optional<SessionView> next_view_;
  std::optional<SessionView> view_;
  // The view that the way ahead was chosen for.
  SessionView looked_from_;
  std::shared_ptr<const lod::Selection> selection_ = std::make_shared<lod::Selection>();
  std::size_t next_ = 0;
  // How many facts came since the selection began.
  std::size_t facts_ = 0;
  bool choosing_ = false;
  bool looked_ahead_ = false;
  std::vector<wire::TileKey> ahead_;
  absl::flat_hash_set<wire::TileKey> ahead_keys_;
  std::size_t next_ahead_ = 0;
  std::uint64_t clears_ = 0;
};

}  // namespace thalweg::session
