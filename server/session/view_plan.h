// The tiles that a view needs, one after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "proto/lod/selection.h"
#include "server/field/field.h"
#include "server/session/view_message.h"

namespace thalweg::session {

// Walks through what a view's picture needs now, then through what it will need along its way, and
// then through what lies around it. What is known of tiles grows while they come; the plan is made
// anew every few facts, and when it seems to be done. Not thread-safe.
class ViewPlan {
 public:
  struct Step {
    wire::TileKey key;
    field::Priority priority = field::Priority::kInteractive;
  };

  // Goes back to the first step of a new view.
  void SetView(const SessionView& view, const lod::Grid& grid, lod::FactsOf facts_of);
  void Clear() { *this = ViewPlan(); }
  // A tile has come, so a selection may look different.
  void LearnFact() { ++facts_; }

  // The next tile that the view needs, of which the caller knows whether it is there already: none
  // whose parent is not known, since nobody knows then whether it is needed. Nothing when all have
  // been given, to the end of the way ahead. While work is under way, a few facts are waited for
  // before the plan is made anew.
  std::optional<Step> Next(lod::FactsOf facts_of, bool under_way);

  // Whether a tile is needed for the view as it is, or for the way ahead.
  bool Needs(const wire::TileKey& key, lod::FactsOf facts_of);
  bool NeedsNow(const wire::TileKey& key) const { return selection_.Find(key) != nullptr; }

  // Whether the next tile is one of the picture's.
  bool IsInView() const {
    return next_ < selection_.tiles().size() &&
           selection_.tiles()[next_].need == lod::Need::kInView;
  }
  // Whether every tile that is needed now was given, around the picture too, and no fact could
  // change that.
  bool PassedNow() const { return next_ == selection_.tiles().size() && facts_ == 0; }
  const std::optional<SessionView>& view() const { return view_; }
  const lod::Selection& selection() const { return selection_; }

 private:
  // Whether it is known that the tile is needed.
  static bool IsSure(const wire::TileKey& key, lod::FactsOf facts_of);
  void Select(lod::FactsOf facts_of);
  void ForgetAhead();
  std::optional<Step> NextNow(lod::Need need, lod::FactsOf facts_of);
  void LookAhead(lod::FactsOf facts_of);

  std::optional<SessionView> view_;
  // From where the way ahead was looked at.
  SessionView looked_from_;
  lod::Grid grid_;
  lod::Selection selection_;
  std::size_t next_ = 0;
  // What came since the selection was made.
  std::size_t facts_ = 0;
  bool looked_ahead_ = false;
  std::vector<wire::TileKey> ahead_;
  absl::flat_hash_set<wire::TileKey> ahead_keys_;
  std::size_t next_ahead_ = 0;
};

}  // namespace thalweg::session
