#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/access/access_control.h"

namespace thalweg::access {
namespace {

class AddressCallersTest : public testing::Test {
 protected:
  void Start(std::size_t max_addresses, double calls_per_s = 1, double cells_per_s = 1'000) {
    Grant grant;
    grant.scopes = ScopeSet::All();
    grant.calls_per_s = calls_per_s;
    grant.cells_per_s = cells_per_s;
    callers_ = std::make_unique<AddressCallers>(
        grant, CallerLimits{}, [this] { return now_; }, max_addresses);
  }
  CallerPointer Of(int n) { return callers_->Of(AddressOf(n)); }
  static std::string AddressOf(int n) { return absl::StrCat("2001:db8:0:", absl::Hex(n), "::/64"); }

  sharing::Time now_{};
  std::unique_ptr<AddressCallers> callers_;
};

TEST_F(AddressCallersTest, EachAddressHasItsOwnLimits) {
  Start(10);
  EXPECT_TRUE(Of(1)->Enter(CallKind::kSingle).ok());
  EXPECT_FALSE(Of(1)->Enter(CallKind::kSingle).ok());
  EXPECT_TRUE(Of(2)->Enter(CallKind::kSingle).ok());
  EXPECT_EQ(Of(1), Of(1));
  EXPECT_NE(Of(1), Of(2));
}

TEST_F(AddressCallersTest, TheLeastRecentlySeenIsForgotten) {
  Start(3);
  for (int n = 0; n < 3; ++n) Of(n);
  const std::weak_ptr<Caller> first = Of(0);
  const std::weak_ptr<Caller> second = Of(1);
  Of(0);
  Of(2);
  Of(3);
  EXPECT_EQ(callers_->size(), 3u);
  EXPECT_FALSE(first.expired());
  EXPECT_TRUE(second.expired());
}

TEST_F(AddressCallersTest, AnAddressInDebtIsNotForgotten) {
  Start(2);
  Of(1)->ChargeCells(5'000);
  for (int n = 10; n < 100; ++n) Of(n);
  EXPECT_FALSE(Of(1)->MayGenerate().ok());
  // The debt is paid exactly when the budget is full again.
  now_ += std::chrono::milliseconds(4'999);
  const std::weak_ptr<Caller> indebted = Of(1);
  Of(200);
  Of(201);
  EXPECT_FALSE(indebted.expired());
  now_ += std::chrono::milliseconds(1);
  Of(202);
  EXPECT_TRUE(indebted.expired());
}

// Otherwise a forgotten caller would have its full budget again.
TEST_F(AddressCallersTest, AnAddressWithAUsedBudgetIsNotForgotten) {
  Start(2, 2);
  EXPECT_TRUE(Of(1)->Enter(CallKind::kSingle).ok());
  for (int n = 10; n < 100; ++n) Of(n);
  EXPECT_TRUE(Of(1)->Enter(CallKind::kSingle).ok());
  EXPECT_FALSE(Of(1)->Enter(CallKind::kSingle).ok());
}

TEST_F(AddressCallersTest, AnAddressWithACallIsNotForgotten) {
  Start(2);
  const CallerPointer here = Of(1);
  for (int n = 10; n < 100; ++n) Of(n);
  EXPECT_EQ(Of(1), here);
}

// A caller with many networks can't make the table larger than its limit. All addresses without a
// place share one caller.
TEST_F(AddressCallersTest, AddressesBeyondTheTableShareOneCaller) {
  Start(100);
  int calls = 0;
  for (int n = 0; n < 10'000; ++n) {
    const CallerPointer caller = Of(n);
    if (!caller->Enter(CallKind::kSingle).ok()) continue;
    caller->ChargeCells(1'000'000);
    ++calls;
    ASSERT_LE(callers_->size(), 100u);
  }
  EXPECT_EQ(calls, 101);
  EXPECT_EQ(Of(50'000), Of(50'001));
  // Addresses in the table are still known. Others get places once debts are paid.
  EXPECT_FALSE(Of(0)->Enter(CallKind::kSingle).ok());
  now_ += std::chrono::hours(1);
  EXPECT_NE(Of(50'000), Of(50'001));
  EXPECT_TRUE(Of(50'000)->Enter(CallKind::kSingle).ok());
}

// Addresses that must stay do not keep others from being found.
TEST_F(AddressCallersTest, FindsIdleAddressesBehindBusyOnes) {
  Start(100, 0, 0);
  std::vector<CallerPointer> here;
  for (int n = 0; n < 50; ++n) here.push_back(Of(n));
  for (int n = 50; n < 100; ++n) Of(n);
  // Each search looks at eight addresses and goes on where the last one ended, so it reaches all.
  const CallerPointer crowd = Of(1'000);
  int crowded = 0;
  for (int n = 1'001; n < 1'050; ++n) crowded += Of(n) == crowd ? 1 : 0;
  EXPECT_LE(crowded, 50 / 8);
}

TEST_F(AddressCallersTest, RevokeReachesPresentAndLaterCallers) {
  Start(1);
  std::vector<Revocation::Watch> watches;
  int told = 0;
  const auto leave = [&told](const absl::Status& why) {
    EXPECT_EQ(why.code(), absl::StatusCode::kUnavailable);
    ++told;
  };
  const CallerPointer first = Of(1);
  const CallerPointer crowd = Of(2);
  ASSERT_NE(first, crowd);
  watches.push_back(first->revocation().OnRevoke(leave));
  watches.push_back(crowd->revocation().OnRevoke(leave));
  callers_->Revoke(absl::UnavailableError("other terms"));
  EXPECT_EQ(told, 2);
  watches.push_back(Of(3)->revocation().OnRevoke(leave));
  EXPECT_EQ(told, 3);
}

}  // namespace
}  // namespace thalweg::access
