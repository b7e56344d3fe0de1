// The arithmetic that the stages' compilers share.
#include <gtest/gtest.h>

#include <cmath>

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

TEST(TangentTest, AgreesWithTheLibrary) {
  for (double degrees = 0.25; degrees <= 85; degrees += 0.25) {
    const double expected = std::tan(degrees * std::acos(-1.0) / 180.0);
    EXPECT_NEAR(TangentOfDegrees(degrees) / expected, 1.0, 1e-12) << degrees;
  }
  EXPECT_EQ(TangentOfDegrees(0), 0.0);
}

TEST(HeadingTest, IsAUnitVectorClockwiseFromNorth) {
  for (double degrees = 0; degrees <= 360; degrees += 0.5) {
    const double radians = degrees * std::acos(-1.0) / 180.0;
    EXPECT_NEAR(HeadingOf(degrees).east, std::sin(radians), 1e-12) << degrees;
    EXPECT_NEAR(HeadingOf(degrees).south, -std::cos(radians), 1e-12) << degrees;
  }
}

TEST(KernelFloatTest, FlushesWhatCouldBecomeDenormal) {
  EXPECT_EQ(KernelFloat(1e-300), 0.0f);
  EXPECT_EQ(KernelFloat(-1e-40), 0.0f);
  EXPECT_EQ(KernelFloat(0.1), 0.1f);
}

TEST(GrainTest, ACellStaysBetweenTwoPowers) {
  for (const double cell_size_m : {1.0, 1.7, 3.99, 100.0, 511.0, 513.0, 1000.0}) {
    for (int level = 0; level < 10; ++level) {
      const Grain grain = GrainOf(NumbersOf(std::ldexp(cell_size_m, -level)));
      EXPECT_GE(grain.per_cell, 33554432.0) << cell_size_m << " level " << level;
      EXPECT_LE(grain.per_cell, 67108864.0) << cell_size_m << " level " << level;
    }
  }
}

}  // namespace
}  // namespace thalweg::stages
