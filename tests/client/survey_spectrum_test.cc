#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "client/tools/survey/spectrum.h"
#include "tests/client/noise_field.h"

namespace thalweg::survey {
namespace {

using client_test::NoiseField;

constexpr std::uint64_t kNoiseSeed = 5;
constexpr int kNoiseSide = 512;
// For isotropic noise, directions' ratios differ from 1 by less: four standard deviations.
constexpr double kIsotropic = 0.2;

bool IsIsotropic(const Grid<double>& heights) {
  const auto power = Spectrum(heights).DirectionalPower();
  return power && std::all_of(power->begin(), power->end(),
                              [](double ratio) { return std::abs(ratio - 1) < kIsotropic; });
}

TEST(PowerSpectrumTest, FindsAWave) {
  Grid<double> samples = FilledGrid(32, 32, 0.0);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      samples.At(x, y) = std::cos(2 * 3.14159265358979 * (3 * x - 5 * y) / 32);
    }
  }
  const Grid<double> power = PowerSpectrum(samples);
  EXPECT_EQ(power.width, 17);
  EXPECT_EQ(power.height, 32);
  EXPECT_NEAR(power.At(3, 32 - 5), 512.0 * 512.0, 1e-3);
  EXPECT_NEAR(power.At(3, 5), 0, 1e-9);
}

TEST(SpectrumTest, FindsTheSlopeOfPowerLawNoise) {
  for (const double beta : {0.0, 2.0, 3.0, 4.0}) {
    SCOPED_TRACE(testing::Message() << "beta " << beta << ", seed " << kNoiseSeed);
    const auto slope = Spectrum(NoiseField(kNoiseSide, beta, kNoiseSeed)).Slope();
    ASSERT_TRUE(slope.has_value());
    EXPECT_NEAR(*slope, beta, 0.15);
  }
}

TEST(SpectrumTest, SectorsFindALeaningWave) {
  const Grid<double> noise = NoiseField(kNoiseSide, 3, kNoiseSeed);
  for (const auto& [shortest, longest] : {std::pair(3.0, 6.0), {6.0, 12.0}}) {
    const auto sectors = *Spectrum(noise).Sectors(shortest, longest);
    for (const double sector : sectors) EXPECT_NEAR(sector, 1, kIsotropic);
  }
  // Waves of 4.5 cells in the direction north-north-east, 67.5 degrees from east.
  Grid<double> leaning = noise;
  for (int y = 0; y < kNoiseSide; ++y) {
    for (int x = 0; x < kNoiseSide; ++x) {
      const double along = x * std::cos(1.1781) - y * std::sin(1.1781);
      leaning.At(x, y) += 0.02 * std::cos(2 * 3.14159265 * along / 4.5);
    }
  }
  const auto sectors = *Spectrum(leaning).Sectors(3, 6);
  EXPECT_EQ(std::max_element(sectors.begin(), sectors.end()) - sectors.begin(), 3);
  EXPECT_GT(sectors[3], 1.5);
}

TEST(SpectrumTest, IgnoresATilt) {
  Grid<double> heights = NoiseField(kNoiseSide, 3, kNoiseSeed);
  const double slope = *Spectrum(heights).Slope();
  for (int y = 0; y < kNoiseSide; ++y) {
    for (int x = 0; x < kNoiseSide; ++x) heights.At(x, y) += 20 * x - 7 * y + 1000;
  }
  EXPECT_NEAR(*Spectrum(heights).Slope(), slope, 1e-6);
  EXPECT_TRUE(IsIsotropic(heights));
}

TEST(SpectrumTest, IsUndefinedForAPlane) {
  Grid<double> plane = FilledGrid(64, 64, 0.0);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) plane.At(x, y) = 0.3 * x + 0.7 * y;
  }
  const Spectrum spectrum(plane);
  EXPECT_FALSE(spectrum.Slope().has_value());
  EXPECT_FALSE(spectrum.DirectionalPower().has_value());
}

TEST(DirectionalPowerTest, IsEqualInAllDirectionsForIsotropicNoise) {
  constexpr int kFields = 8;
  std::array<double, 4> means = {};
  for (std::uint64_t seed = kNoiseSeed; seed < kNoiseSeed + kFields; ++seed) {
    const Grid<double> heights = NoiseField(kNoiseSide, seed % 2 == 0 ? 0 : 3, seed);
    EXPECT_TRUE(IsIsotropic(heights)) << "seed " << seed;
    const auto power = Spectrum(heights).DirectionalPower();
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += (*power)[i] / kFields;
  }
  for (const double mean : means) EXPECT_NEAR(mean, 1, kIsotropic / std::sqrt(kFields));
}

TEST(DirectionalPowerTest, FlagsTheDirectionOfAnisotropicNoise) {
  for (std::size_t direction = 0; direction < 4; ++direction) {
    const double favoured = 45 * static_cast<double>(direction);
    // Four times the power within 10 degrees is 4 / (1 + 3 * 20 / 180) = 3 times the mean.
    const Grid<double> heights = NoiseField(kNoiseSide, 3, kNoiseSeed, [&](double degrees) {
      const double apart = std::abs(std::remainder(degrees - favoured, 180));
      return apart < 10 ? 4.0 : 1.0;
    });
    const auto power = Spectrum(heights).DirectionalPower();
    ASSERT_TRUE(power.has_value());
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR((*power)[i], i == direction ? 3 : 0.75, i == direction ? 0.5 : 0.2)
          << "favoured " << favoured << ", measured " << 45 * i << ", seed " << kNoiseSeed;
    }
    EXPECT_FALSE(IsIsotropic(heights));
  }
}

TEST(DirectionalPowerTest, CountsAllWavelengthsEqually) {
  // Only the shortest waves, which have a thousandth of the power, are aligned.
  Grid<double> heights = NoiseField(kNoiseSide, 3, kNoiseSeed);
  const Grid<double> aligned = NoiseField(
      kNoiseSide, 0, kNoiseSeed + 1, [](double degrees) { return std::abs(degrees) < 10 ? 1 : 0; });
  for (std::size_t i = 0; i < heights.values.size(); ++i) {
    heights.values[i] += 1e-2 * aligned.values[i];
  }
  EXPECT_FALSE(IsIsotropic(heights));
}

}  // namespace
}  // namespace thalweg::survey
