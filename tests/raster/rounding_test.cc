#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "proto/picture/ramp.h"
#include "proto/wire/layer_facts.h"
#include "server/raster/render.h"

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
      EXPECT_LE(std::abs(TerrariumMetres(picture::TerrariumOf(height)) - metres), 0.5 / 256);
    }
    if (metres > -10'000) {
      EXPECT_LE(std::abs(MapboxMetres(MapboxOf(height)) - metres), 0.05 + 1e-9) << height;
    }
    const v1::LayerFacts& facts = wire::FactsOf(v1::LAYER_HEIGHT);
    const double low = wire::GreyOffsetOf(facts);
    const double step = wire::GreyStepOf(facts);
    if (metres > low && metres < low + 65'535 * step) {
      EXPECT_LE(std::abs(low + GreyOf(height, facts.grey()) * step - metres), step / 2) << height;
    }
  }
}

v1::GreyScale Scale(std::int32_t offset) {
  v1::GreyScale scale;
  scale.set_offset(offset);
  return scale;
}

TEST(RoundingTest, ClampsValuesThatDoNotFit) {
  EXPECT_EQ(picture::TerrariumOf(INT32_MIN), 0U);
  EXPECT_EQ(picture::TerrariumOf(INT32_MAX), 0xFFFFFFU);
  EXPECT_EQ(MapboxOf(INT32_MIN), 0U);
  EXPECT_EQ(MapboxOf(INT32_MAX), 427'680U);
  EXPECT_EQ(GreyOf(INT32_MIN, Scale(INT32_MAX)), 0);
  EXPECT_EQ(GreyOf(INT32_MAX, Scale(INT32_MIN)), 65'535);
}

TEST(RoundingTest, KeepsTheOrderOfHeights) {
  std::mt19937_64 random(12);
  for (int n = 0; n < 10'000; ++n) {
    const auto a = static_cast<std::int32_t>(random());
    const auto b = static_cast<std::int32_t>(random());
    EXPECT_LE(picture::TerrariumOf(std::min(a, b)), picture::TerrariumOf(std::max(a, b)));
    EXPECT_LE(MapboxOf(std::min(a, b)), MapboxOf(std::max(a, b)));
  }
}

}  // namespace
}  // namespace thalweg::raster
