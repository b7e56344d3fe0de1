// A client may send views as often as it likes, but plans are made at a limited rate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/session/session_fixture.h"

namespace thalweg::session {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

class ViewRateTest : public SessionFixture {
 protected:
  // Opens a session with credit for everything.
  std::shared_ptr<Session> OpenWithCredit() {
    auto session = Open();
    EXPECT_TRUE(Send(*session, CreditOf(1'000'000)).ok());
    return session;
  }

  // Takes responses until this view is settled. Returns the ids of all views that were settled.
  std::vector<std::uint64_t> AwaitSettled(Session& session, std::uint64_t id) {
    std::vector<std::uint64_t> settled;
    while (settled.empty() || settled.back() != id) {
      timer_.RunAll();
      for (const v1::SessionResponse& response : Take(session)) {
        if (response.has_settled()) settled.push_back(response.settled().view_id());
      }
    }
    return settled;
  }

  // Sends a view of another place every `pause`, and runs the plans that are due. Returns how many
  // plans were made.
  int PlansOf(Session& session, milliseconds duration, milliseconds pause) {
    int plans = 0;
    std::uint64_t id = 1'000;
    for (milliseconds passed{0}; passed < duration; passed += pause) {
      ++id;
      EXPECT_TRUE(Send(session, ViewOf(id, 10.0 * static_cast<double>(id))).ok());
      plans += timer_.RunUntil(now_);
      now_ += pause;
    }
    return plans;
  }
};

TEST_F(ViewRateTest, AFirstViewIsPlannedAtOnce) {
  const auto session = OpenWithCredit();
  ASSERT_TRUE(Send(*session, ViewOf(1)).ok());
  ASSERT_EQ(timer_.waiting(), 1U);
  EXPECT_EQ(timer_.due(), now_);
  EXPECT_EQ(session->load().pending, 0U);
  timer_.RunUntil(now_);
  EXPECT_GT(session->load().pending, 0U);
  session->Close();
}

TEST_F(ViewRateTest, ASessionHasOnePlanAtATimeForManyViews) {
  const auto session = OpenWithCredit();
  for (std::uint64_t id = 1; id <= 10'000; ++id) {
    ASSERT_TRUE(Send(*session, ViewOf(id)).ok());
    ASSERT_EQ(timer_.waiting(), 1U);
  }
  EXPECT_EQ(session->load().selected, 0U);
  // Only the newest view counts. Earlier ones are never settled.
  EXPECT_THAT(AwaitSettled(*session, 10'000), ElementsAre(10'000));
  session->Close();
}

TEST_F(ViewRateTest, ManyViewsDoNotRaiseTheRateOfPlans) {
  device_->Close();
  const auto session = OpenWithCredit();
  const int plans = PlansOf(*session, std::chrono::seconds(3), milliseconds(1));
  // A second's worth may come at once.
  EXPECT_LE(plans, 4 * kPlansPerS + 1);
  EXPECT_GE(plans, 3 * kPlansPerS);
  session->Close();
}

// The twin: views at the rate of an ordinary client are all planned.
TEST_F(ViewRateTest, TenViewsASecondAreAllPlanned) {
  device_->Close();
  const auto session = OpenWithCredit();
  EXPECT_GE(PlansOf(*session, std::chrono::seconds(3), milliseconds(100)), 30);
  session->Close();
}

TEST_F(ViewRateTest, LongPlansAreMadeLessOften) {
  constexpr milliseconds kPlanTime{40};
  device_->Close();
  // A plan reads the clock when it begins and when it is made.
  int looks = 2;
  context_.now = [this, &looks, kPlanTime] {
    if (++looks == 2) now_ += kPlanTime;
    return now_;
  };
  const auto session = OpenWithCredit();
  const auto begin = now_;
  int plans = 0;
  for (std::uint64_t id = 1; id <= 1'000; ++id) {
    ASSERT_TRUE(Send(*session, ViewOf(id, 10.0 * static_cast<double>(id))).ok());
    looks = 0;
    plans += timer_.RunUntil(now_);
    looks = 2;
    now_ += milliseconds(1);
  }
  const double passed_s = std::chrono::duration<double>(now_ - begin).count();
  const double planned_s = std::chrono::duration<double>(kPlanTime).count() * plans;
  // One second's budget may be used at once, and the last plan may exceed the budget.
  EXPECT_LE(planned_s, kPlanShare * (passed_s + 1) + 0.04);
  EXPECT_GT(plans, 20);
  session->Close();
}

// A message with the client's tiles also leads to a new plan.
TEST_F(ViewRateTest, ManyFactsDoNotRaiseTheRateOfPlans) {
  device_->Close();
  const auto session = OpenWithCredit();
  ASSERT_TRUE(Send(*session, ViewOf(1)).ok());
  int plans = timer_.RunUntil(now_);
  const v1::SessionRequest have = HaveOf(RowOf(8, 1'000));
  for (int n = 0; n < 10'000; ++n) {
    ASSERT_TRUE(Send(*session, have).ok());
    plans += timer_.RunUntil(now_);
    ASSERT_LE(timer_.waiting(), 1U);
  }
  EXPECT_LE(plans, kPlansPerS + 1);
  EXPECT_GE(plans, 10);
  session->Close();
}

TEST_F(ViewRateTest, IdsAreCheckedBeforeViewsArePlanned) {
  const auto session = OpenWithCredit();
  ASSERT_TRUE(Send(*session, ViewOf(7)).ok());
  const absl::Status status = Send(*session, ViewOf(7));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("invalid view.id: expected more than 7"));
  session->Close();
}

TEST_F(ViewRateTest, ACancelledViewIsNotPlanned) {
  const auto session = OpenWithCredit();
  ASSERT_TRUE(Send(*session, ViewOf(7)).ok());
  ASSERT_TRUE(Send(*session, CancelOfAll()).ok());
  timer_.RunAll();
  EXPECT_EQ(session->load().selected, 0U);
  EXPECT_EQ(session->load().pending, 0U);
  // After the cancellation, ids may begin at 1 again.
  ASSERT_TRUE(Send(*session, ViewOf(1)).ok());
  EXPECT_THAT(AwaitSettled(*session, 1), ElementsAre(1));
  session->Close();
}

TEST_F(ViewRateTest, AViewWaitsForCredit) {
  const auto session = Open();
  ASSERT_TRUE(Send(*session, ViewOf(1)).ok());
  EXPECT_EQ(timer_.waiting(), 0U);
  ASSERT_TRUE(Send(*session, CreditOf(1'000'000)).ok());
  EXPECT_EQ(timer_.waiting(), 1U);
  AwaitSettled(*session, 1);
  session->Close();
}

// While a plan waits until it may be made, the session goes on with the last one.
TEST_F(ViewRateTest, ManyViewsDoNotDelayTiles) {
  const auto session = OpenWithCredit();
  std::uint64_t id = 0;
  std::uint64_t tiles = 0;
  // No view is settled, since there is always a newer view of the same place.
  while (tiles < 20) {
    ASSERT_TRUE(Send(*session, ViewOf(++id)).ok());
    timer_.RunUntil(now_);
    for (const v1::SessionResponse& response : Take(*session)) {
      tiles += response.has_tile() ? 1 : 0;
      ASSERT_TRUE(Send(*session, ViewOf(++id)).ok());
    }
    now_ += milliseconds(1);
  }
  session->Close();
}

TEST_F(ViewRateTest, AClosedSessionIsNotPlanned) {
  const auto session = OpenWithCredit();
  ASSERT_TRUE(Send(*session, ViewOf(1)).ok());
  session->Close();
  timer_.RunAll();
  EXPECT_EQ(session->load().selected, 0U);
  EXPECT_EQ(tiles_.stats().flights, 0U);
}

}  // namespace
}  // namespace thalweg::session
