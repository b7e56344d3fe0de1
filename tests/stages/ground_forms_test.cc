#include "server/stages/ground_forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/stages/filled.h"

namespace thalweg::stages {
namespace {

constexpr kernels::uvec2 kGroundSeed{12, 34};

GroundForms Formed(const char* text, const LevelNumbers& level) {
  return FormsOf(Filled(text).ground(), level);
}

kernels::GroundSite LevelSite(std::uint32_t x, std::uint32_t y) {
  return {.in_space = false,
          .x = x,
          .y = y,
          .z = 0,
          .height = 100 << 16,
          .slope = 0,
          .wide_slope = 0,
          .wide_ascent = {0, 0, 0},
          .up = {0, 0, 1},
          .bend = 0,
          .loose = 1 << 16};
}

TEST(GroundFormsTest, EachIsMadeByOneLevel) {
  int trains = 0;
  int terraces = 0;
  for (int number = 0; number < 16; ++number) {
    LevelNumbers level = NumbersOf(std::ldexp(8.0, -number));
    level.ground_levels_above = number;
    const GroundForms forms = Formed("ground { dunes { } striae { } terracettes { } }", level);
    trains += static_cast<int>(forms.trains.size());
    terraces += forms.terraces ? 1 : 0;
  }
  EXPECT_EQ(trains, 6);  // three sizes each
  EXPECT_EQ(terraces, 3);
}

TEST(GroundFormsTest, DunesStandOnLevelLooseGroundOnly) {
  LevelNumbers level = NumbersOf(4);
  const GroundForms forms = Formed("ground { dunes { height_m: 3 } }", level);
  ASSERT_EQ(forms.trains.size(), 1U);
  int highest = 0;
  int lowest = 0;
  for (std::uint32_t k = 0; k < 10'000; ++k) {
    kernels::GroundSite site = LevelSite(37 * k, 91 * k);
    const int dune = trainAt(site, forms.trains.front(), kGroundSeed);
    highest = std::max(highest, dune);
    lowest = std::min(lowest, dune);
    kernels::GroundSite rock = site;
    rock.loose = 0;
    EXPECT_EQ(trainAt(rock, forms.trains.front(), kGroundSeed), 0);
    site.wide_slope = 0.3F;
    EXPECT_EQ(trainAt(site, forms.trains.front(), kGroundSeed), 0);
  }
  EXPECT_GT(highest, 2 << 16);
  EXPECT_LE(highest, 3 << 16);
  EXPECT_EQ(lowest, 0);
}

// Terracettes may step, but a higher place stays higher.
TEST(GroundFormsTest, TerracettesNeverInvertHeights) {
  const GroundForms forms = Formed("ground { terracettes { step: 0.8 } }", NumbersOf(0.5));
  ASSERT_TRUE(forms.terraces);
  int stepped = 0;
  for (std::uint32_t k = 0; k < 50; ++k) {
    kernels::GroundSite site = LevelSite(1000 * k, 777 * k);
    site.slope = 0.6F;
    int before = 0;
    for (int rise = 0; rise < 65536; rise += 512) {
      site.height = (100 << 16) + rise;
      const int change = terraceAt(site, *forms.terraces, kGroundSeed);
      stepped += change != 0 ? 1 : 0;
      EXPECT_GE(site.height + change, before - 1) << k << " " << rise;
      before = site.height + change;
    }
  }
  EXPECT_GT(stepped, 1000);
}

TEST(GroundFormsTest, OnlyCoastsAreCut) {
  const GroundForms forms = Formed("ground { coast { height_m: 20 } }", NumbersOf(4));
  ASSERT_TRUE(forms.coast);
  int cut = 0;
  for (std::uint32_t k = 0; k < 1000; ++k) {
    kernels::GroundSite site = LevelSite(37 * k, 91 * k);
    site.wide_slope = 0.5F;
    for (const int height_m : {-5, 0, 1, 3, 21, 100}) {
      // NumbersOf puts the sea at 2 m.
      site.height = height_m * 65536;
      const int change = coastAt(site, *forms.coast, kGroundSeed);
      EXPECT_LE(change, 0) << height_m;
      EXPECT_GE(site.height + change, std::min(site.height, 2 << 16)) << height_m;
      if (height_m <= 2 || height_m > 22) {
        EXPECT_EQ(change, 0) << height_m;
      }
      cut += change < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(cut, 1000);
  // Gentle shores are beaches.
  kernels::GroundSite shore = LevelSite(0, 0);
  shore.height = 3 << 16;
  EXPECT_EQ(coastAt(shore, *forms.coast, kGroundSeed), 0);
}

TEST(GroundFormsTest, CratersAreDugAndHaveRims) {
  const GroundForms forms = Formed("ground { craters { } }", NumbersOf(4));
  ASSERT_TRUE(forms.craters);
  int lowest = 0;
  int highest = 0;
  double sum = 0;
  constexpr std::uint32_t kSites = 20'000;
  for (std::uint32_t k = 0; k < kSites; ++k) {
    const int change = cratersAt(LevelSite(k % 200, k / 200), *forms.craters, kGroundSeed);
    lowest = std::min(lowest, change);
    highest = std::max(highest, change);
    sum += change;
  }
  // Radii of 1.5 to 3 cells of 4 m, and depths of up to 0.22 radii.
  EXPECT_LT(lowest, -(1 << 16));
  EXPECT_GT(lowest, -(4 << 16));
  EXPECT_GT(highest, 1 << 14);
  EXPECT_LT(highest, -lowest);
  EXPECT_LT(sum / kSites, 0);
}

}  // namespace
}  // namespace thalweg::stages
