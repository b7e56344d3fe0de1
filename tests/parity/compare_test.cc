#include "tests/parity/compare.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {
namespace {

TEST(DifferenceTest, IsEmptyForEqualPlanes) {
  const std::vector<std::int32_t> plane{1, 2, 3, 4};
  EXPECT_EQ(Difference(plane, plane, 2), "");
}

TEST(DifferenceTest, ReportsEverySingleFlippedBit) {
  const std::uint64_t seed = 20261120;
  Random random(seed);
  std::vector<std::int32_t> plane(48);
  for (auto& value : plane) value = static_cast<std::int32_t>(random());
  for (std::size_t i = 0; i < plane.size(); ++i) {
    for (int bit = 0; bit < 32; ++bit) {
      auto flipped = plane;
      flipped[i] ^= static_cast<std::int32_t>(1u << bit);
      ASSERT_THAT(
          Difference(plane, flipped, 8),
          testing::HasSubstr("column " + std::to_string(i % 8) + ", row " + std::to_string(i / 8)))
          << "seed " << seed;
    }
  }
}

TEST(DifferenceTest, ReportsPlanesOfDifferentSize) {
  EXPECT_EQ(Difference(std::vector<std::int32_t>(4), std::vector<std::int32_t>(6), 2),
            "4 values against 6");
}

}  // namespace
}  // namespace thalweg::parity
