#include "proto/wire/rounded.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "absl/strings/numbers.h"

namespace thalweg::wire {
namespace {

TEST(RoundedTest, BoundsAreShownWithFourDigits) {
  EXPECT_EQ(MaxText(19.764235376052373), "19.76");
  EXPECT_EQ(MinText(19.764235376052373), "19.77");
  EXPECT_EQ(MaxText(0.0123456), "0.01234");
  EXPECT_EQ(MinText(0.0123456), "0.01235");
  EXPECT_EQ(MaxText(-19.764), "-19.77");
  EXPECT_EQ(MinText(-19.764), "-19.76");
}

TEST(RoundedTest, ShortBoundsAreShownInFull) {
  EXPECT_EQ(MaxText(0.29), "0.29");
  EXPECT_EQ(MinText(0.3), "0.3");
  EXPECT_EQ(MaxText(90), "90");
  EXPECT_EQ(MinText(-90), "-90");
  EXPECT_EQ(MaxText(0), "0");
  EXPECT_EQ(MinText(0), "0");
}

TEST(RoundedTest, WholeNumbersAreShownInFull) {
  EXPECT_EQ(MaxText(100'000'000), "100000000");
  EXPECT_EQ(MaxText(1'099'511'627'775), "1099511627775");
  EXPECT_EQ(MinText(-1'099'511'627'776), "-1099511627776");
  EXPECT_EQ(MaxText(20'037.5), "20037");
  EXPECT_EQ(MinText(20'037.5), "20038");
}

TEST(RoundedTest, HugeAndNonFiniteBoundsHaveAText) {
  EXPECT_EQ(MaxText(576'460'752'303'423'488.0), "5.764e+17");
  EXPECT_EQ(MinText(576'460'752'303'423'488.0), "5.765e+17");
  EXPECT_EQ(MaxText(1e30), "1e+30");
  EXPECT_EQ(MinText(-1e30), "-1e+30");
  EXPECT_EQ(MaxText(std::numeric_limits<double>::infinity()), "inf");
}

TEST(RoundedTest, ABoundCopiedFromTheTextIsAccepted) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-12, 40);
  for (int n = 0; n < 10'000; ++n) {
    const double bound = std::pow(10, exponent(random)) * (n % 2 == 0 ? 1 : -1);
    double max = 0;
    double min = 0;
    ASSERT_TRUE(absl::SimpleAtod(MaxText(bound), &max));
    ASSERT_TRUE(absl::SimpleAtod(MinText(bound), &min));
    EXPECT_LE(max, bound);
    EXPECT_GE(min, bound);
    EXPECT_NEAR(max, bound, std::abs(bound) / 900);
    EXPECT_NEAR(min, bound, std::abs(bound) / 900);
  }
}

}  // namespace
}  // namespace thalweg::wire
