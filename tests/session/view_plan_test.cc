#include "server/session/view_plan.h"

#include <gtest/gtest.h>

#include <utility>

namespace thalweg::session {
namespace {

using wire::TileKey;

constexpr lod::WorldGrid kGrid{.cell_size_m = 1024, .levels = 6};

SessionView Standing(std::uint64_t id) {
  return {.id = id, .view = {.position = {0, 0, 2'000}, .range_m = 20'000}, .lookahead_s = 0};
}

SessionView Flying(std::uint64_t id, double east_m) {
  SessionView view = Standing(id);
  view.view.position.x = east_m;
  view.view.velocity = {1'000, 0, 0};
  view.lookahead_s = 30;
  return view;
}

const lod::TileFacts* NoFacts(const TileKey&) { return nullptr; }
bool KnowsNothing(const TileKey&) { return false; }

// Begins a draft, completes it and adopts it.
void Make(ViewPlan& plan) {
  PlanDraft draft = plan.Begin(false);
  if (!draft.Choose(kGrid, NoFacts)) draft.LookAhead(kGrid, NoFacts);
  EXPECT_TRUE(plan.Adopt(std::move(draft)));
}

TEST(ViewPlanTest, TheNewestViewIsDrafted) {
  ViewPlan plan;
  plan.SetView(Standing(1));
  plan.SetView(Standing(2));
  EXPECT_FALSE(plan.PassedNow());
  Make(plan);
  EXPECT_EQ(plan.view()->id, 2U);
  EXPECT_FALSE(plan.HasNewView());
  EXPECT_FALSE(plan.IsStale(false));
  EXPECT_TRUE(plan.Next(KnowsNothing).has_value());
}

TEST(ViewPlanTest, NothingIsPassedWhileADraftIsMade) {
  ViewPlan plan;
  plan.SetView(Standing(1));
  Make(plan);
  while (plan.Next(KnowsNothing)) continue;
  EXPECT_TRUE(plan.PassedNow());
  plan.LearnFact();
  EXPECT_TRUE(plan.IsStale(false));
  EXPECT_FALSE(plan.IsStale(true));
  PlanDraft draft = plan.Begin(false);
  EXPECT_FALSE(plan.PassedNow());
  // A fact that comes while a draft is made needs another draft.
  plan.LearnFact();
  draft.Choose(kGrid, NoFacts);
  EXPECT_TRUE(plan.Adopt(std::move(draft)));
  while (plan.Next(KnowsNothing)) continue;
  EXPECT_FALSE(plan.PassedNow());
  EXPECT_TRUE(plan.IsStale(false));
}

TEST(ViewPlanTest, AClearedDraftIsNotAdopted) {
  ViewPlan plan;
  plan.SetView(Standing(1));
  PlanDraft draft = plan.Begin(false);
  draft.Choose(kGrid, NoFacts);
  plan.Clear();
  plan.SetView(Standing(1));
  EXPECT_FALSE(plan.Adopt(std::move(draft)));
  EXPECT_FALSE(plan.view().has_value());
  EXPECT_TRUE(plan.HasNewView());
}

TEST(ViewPlanTest, TheWayAheadIsPlannedAfterThePicture) {
  ViewPlan plan;
  plan.SetView(Flying(1, 0));
  Make(plan);
  EXPECT_FALSE(plan.IsStale(false));
  while (plan.Next(KnowsNothing)) continue;
  EXPECT_TRUE(plan.IsStale(false));
  Make(plan);
  EXPECT_FALSE(plan.IsStale(false));
  plan.SetView(Flying(2, 10));
  PlanDraft near = plan.Begin(false);
  EXPECT_FALSE(plan.MustLookAhead(near));
  near.Choose(kGrid, NoFacts);
  EXPECT_TRUE(plan.Adopt(std::move(near)));
  plan.SetView(Flying(3, 1e6));
  const PlanDraft far = plan.Begin(false);
  EXPECT_TRUE(plan.MustLookAhead(far));
}

}  // namespace
}  // namespace thalweg::session
