// Terraces of rounded heights.
#include "client/tools/raster/height_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/client/elevation_files.h"

namespace thalweg::raster_file {
namespace {

using survey::Grid;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::optional<double> StepOf(const std::vector<double>& values) {
  StepFinder finder;
  for (const double value : values) finder.See(value);
  return finder.Step();
}

TEST(StepFinderTest, FindsTheCommonStepOfAllValues) {
  EXPECT_EQ(StepOf({3, 4, 9}), 1);
  EXPECT_EQ(StepOf({-30, 0, 45}), 15);
  EXPECT_EQ(StepOf({5000}), 100);
  EXPECT_EQ(StepOf({2.5, 3.1F, 1999.9F}), 0.1);
  EXPECT_EQ(StepOf({2.53F, 3.1F, 1999.97F}), 0.01);
  EXPECT_EQ(StepOf({3, 4, 9.0037}), std::nullopt);
  EXPECT_EQ(StepOf({0, 0}), std::nullopt);
  EXPECT_EQ(StepOf({}), std::nullopt);
}

// Ground that is gentle everywhere: hills of some metres, tilted by half a percent.
struct Gentle {
  explicit Gentle(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(0, 1);
    turn = 6.28 * part(random);
    wave_x = 90 + 60 * part(random);
    wave_y = 90 + 60 * part(random);
    hill_m = 8 * part(random);
  }
  double At(int x, int y) const {
    return 200 + 0.15 * (x * std::cos(turn) + y * std::sin(turn)) +
           hill_m * std::sin(6.28 * x / wave_x) * std::sin(6.28 * y / wave_y);
  }

  double turn = 0;
  double wave_x = 0;
  double wave_y = 0;
  double hill_m = 0;
};

template <typename Height>
Grid<double> GridOf(int width, int height, const Height& height_m) {
  Grid<double> ground_m = survey::FilledGrid(width, height, 0.0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) ground_m.At(x, y) = height_m(x, y);
  }
  return ground_m;
}

double RmsApart(const Grid<double>& a, const Grid<double>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    squares += std::pow(a.values[i] - b.values[i], 2);
  }
  return std::sqrt(squares / static_cast<double>(a.values.size()));
}

// The share of steps to the east that rise or fall by over a part of a cell of 30 m.
double SteepShare(const Grid<double>& ground_m) {
  constexpr double kSteepM = 0.02 * 30;
  int steep = 0;
  for (int y = 0; y < ground_m.height; ++y) {
    for (int x = 0; x + 1 < ground_m.width; ++x) {
      steep += std::abs(ground_m.At(x + 1, y) - ground_m.At(x, y)) > kSteepM ? 1 : 0;
    }
  }
  return 1.0 * steep / (ground_m.width * ground_m.height);
}

TEST(SmoothStepsTest, TerracesBecomeSlopesAgain) {
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const Gentle gentle(seed);
    const double step_m = seed % 3 == 0 ? 0.3048 : 1;
    const double offset_m = seed % 2 == 0 ? 0 : 17.3;
    const auto truth_m =
        GridOf(140, 120, [&](int x, int y) { return gentle.At(x, y) * step_m + offset_m; });
    const auto rounded_m = GridOf(
        140, 120, [&](int x, int y) { return std::round(gentle.At(x, y)) * step_m + offset_m; });
    Grid<double> smooth_m = rounded_m;
    EXPECT_GT(SmoothSteps({step_m, offset_m}, 0, smooth_m), 140 * 120 / 2);
    for (std::size_t i = 0; i < smooth_m.values.size(); ++i) {
      ASSERT_LE(std::abs(smooth_m.values[i] - rounded_m.values[i]), step_m / 2 + 1e-6);
    }
    // Rounding alone is off by a step / sqrt(12).
    EXPECT_GT(RmsApart(rounded_m, truth_m), 0.27 * step_m);
    EXPECT_LT(RmsApart(smooth_m, truth_m), 0.12 * step_m);
    if (step_m == 1) {
      EXPECT_LE(SteepShare(smooth_m), 1.2 * SteepShare(truth_m) + 0.005);
      EXPECT_GT(SteepShare(rounded_m), SteepShare(truth_m) + 0.05);
    }
  }
}

TEST(SmoothStepsTest, TheSeaAndOtherGroundStayTheSame) {
  // From west to east: a sea, a beach of 1 m, a mountain, then ground of other heights than steps.
  const auto ground = [](int x, int y) {
    if (x < 20) return 0.0;
    if (x < 40) return 1.0;
    return x < 60 ? 1 + 7.0 * (x - 39) + y % 2 : 300.37;
  };
  const Grid<double> before_m = GridOf(80, 40, ground);
  Grid<double> after_m = before_m;
  SmoothSteps({1, 0}, 0, after_m);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 80; ++x) {
      const bool is_beach = x >= 20 && x < 40;
      if (is_beach) {
        EXPECT_GT(after_m.At(x, y), 0.4);
      } else {
        EXPECT_EQ(after_m.At(x, y), before_m.At(x, y)) << x << ' ' << y;
      }
    }
  }
  // Inland, the same flat of 0 m is a terrace.
  SmoothSteps({1, 0}, -5, after_m);
  EXPECT_GT(after_m.At(19, 9), 0.3);
  EXPECT_EQ(after_m.At(0, 9), 0);
}

TEST(SmoothStepsTest, MissingGroundStaysMissing) {
  const Gentle gentle(3);
  Grid<double> ground_m = GridOf(60, 50, [&](int x, int y) {
    return x > 20 && x < 30 && y > 20 ? std::numeric_limits<double>::quiet_NaN()
                                      : std::round(gentle.At(x, y));
  });
  SmoothSteps({1, 0}, 0, ground_m);
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 60; ++x) {
      const bool is_missing = x > 20 && x < 30 && y > 20;
      ASSERT_EQ(std::isnan(ground_m.At(x, y)), is_missing) << x << ' ' << y;
      if (is_missing) continue;
      ASSERT_NEAR(ground_m.At(x, y), gentle.At(x, y), 1.01);
    }
  }
}

class RoundedFileTest : public ElevationFilesTest {};

TEST_F(RoundedFileTest, IsReadWithItsStep) {
  const Gentle gentle(5);
  const std::string path =
      WriteGrid("land.asc", [&](int x, int y) { return std::round(gentle.At(x, y)); });
  const ElevationModel model = Read(path);
  EXPECT_NE(model.ground_m.At(50, 50), std::round(model.ground_m.At(50, 50)));
  EXPECT_THAT(model.notes, Contains(HasSubstr("heights are in steps of 1 m: terraces of")));
  const ElevationModel left = Read(path, {.step_m = 0});
  EXPECT_EQ(left.ground_m.At(50, 50), std::round(gentle.At(50, 50)));
  EXPECT_THAT(left.notes, testing::IsEmpty());
  // Feet, and an offset, are those of the file's values.
  const ElevationModel feet = Read(
      WriteVirtual({{"land.asc", "<UnitType>ft</UnitType><Offset>0.4</Offset><Scale>1</Scale>"}}));
  EXPECT_THAT(feet.notes, Contains(HasSubstr("in steps of 0.3048 m")));
  EXPECT_NEAR(feet.ground_m.At(50, 50), (gentle.At(50, 50) + 0.4) * 0.3048, 0.1);
}

}  // namespace
}  // namespace thalweg::raster_file
