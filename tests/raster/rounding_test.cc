#include "server/raster/rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

namespace thalweg::raster {
namespace {

double TerrariumMetres(std::uint32_t pixel) {
  const double r = pixel >> 16;
  const double g = pixel >> 8 & 0xFF;
  const double b = pixel & 0xFF;
  return r * 256 + g + b / 256 - 32'768;
}

double MapboxMetres(std::uint32_t pixel) { return pixel * 0.1 - 10'000; }

TEST(RoundingTest, IsToTheNearestStep) {
  std::mt19937_64 random(11);
  for (int n = 0; n < 100'000; ++n) {
    const auto height = static_cast<std::int32_t>(random());
    const double metres = height / 65'536.0;
    if (height < INT32_MAX - 128) {
      EXPECT_LE(std::abs(TerrariumMetres(TerrariumOf(height)) - metres), 0.5 / 256);
    }
    if (metres > -10'000) {
      EXPECT_LE(std::abs(MapboxMetres(MapboxOf(height)) - metres), 0.05 + 1e-9) << height;
    }
    const Grey16& lattice = *FactsOf(v1::LAYER_HEIGHT).grey;
    const double low = OffsetOf(FactsOf(v1::LAYER_HEIGHT));
    const double step = StepOf(FactsOf(v1::LAYER_HEIGHT));
    if (metres > low && metres < low + 65'535 * step) {
      EXPECT_LE(std::abs(low + GreyOf(height, lattice) * step - metres), step / 2) << height;
    }
  }
}

TEST(RoundingTest, CutsOffWhatDoesNotFit) {
  EXPECT_EQ(TerrariumOf(INT32_MIN), 0U);
  EXPECT_EQ(TerrariumOf(INT32_MAX), 0xFFFFFFU);
  EXPECT_EQ(MapboxOf(INT32_MIN), 0U);
  EXPECT_EQ(MapboxOf(INT32_MAX), 427'680U);
  EXPECT_EQ(GreyOf(INT32_MIN, {.shift = 0, .offset = INT32_MAX}), 0);
  EXPECT_EQ(GreyOf(INT32_MAX, {.shift = 0, .offset = INT32_MIN}), 65'535);
}

TEST(RoundingTest, NeverTurnsHeightsRound) {
  std::mt19937_64 random(12);
  for (int n = 0; n < 10'000; ++n) {
    const auto a = static_cast<std::int32_t>(random());
    const auto b = static_cast<std::int32_t>(random());
    EXPECT_LE(TerrariumOf(std::min(a, b)), TerrariumOf(std::max(a, b)));
    EXPECT_LE(MapboxOf(std::min(a, b)), MapboxOf(std::max(a, b)));
  }
}

TEST(LayerFactsTest, EveryLayerOfTheContractHasSome) {
  for (int layer = 1; layer <= v1::Layer_MAX; ++layer) {
    ASSERT_TRUE(v1::Layer_IsValid(layer));
    const LayerFacts& facts = FactsOf(static_cast<v1::Layer>(layer));
    EXPECT_EQ(FindLayer(facts.name), &facts);
  }
  EXPECT_EQ(FindLayer("heights"), nullptr);
}

}  // namespace
}  // namespace thalweg::raster
