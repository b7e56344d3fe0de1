// The cover of ground.
#include "server/tile/cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "proto/picture/cover.h"

namespace thalweg::tile {
namespace {

struct Land {
  double temperature_c = 12;
  double rain_mm = 900;
  bool sea = true;
};

std::shared_ptr<const world::World> WorldOf(const Land& land) {
  v1::WorldSpec spec;
  spec.set_name("land");
  spec.set_cell_size_m(4096);
  spec.set_levels(16);
  spec.mutable_base()->set_constant(1);
  spec.add_rules();
  if (land.sea) spec.set_sea_level_m(0);
  spec.mutable_climate()->set_temperature_c(land.temperature_c);
  spec.mutable_climate()->set_rain_mm(land.rain_mm);
  const auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return *world;
}

// The mean cover of many vertices with this site, at a level with cells of 16 m.
CoverShares MeanCover(const Land& land, const CoverSite& site) {
  constexpr int kLevel = 8;
  const CoverPainter painter(*WorldOf(land), kLevel);
  constexpr int kPlaces = 400;
  CoverShares mean{};
  for (int n = 0; n < kPlaces; ++n) {
    const CoverShares here = painter.At(kernels::placeOnPlane(n * 3571, n * -917), site);
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += here[k] / kPlaces;
  }
  return mean;
}

float ShareOf(const CoverShares& shares, v1::Cover cover) {
  return shares[static_cast<std::size_t>(cover)];
}

constexpr float kMostly = 0.8F;

TEST(CoverTest, WaterCoversWhatItStandsOn) {
  EXPECT_NEAR(ShareOf(MeanCover({}, {.height_m = -10, .depth_m = 10}), v1::COVER_WATER), 1, 1e-4F);
  EXPECT_EQ(ShareOf(MeanCover({}, {.height_m = 10}), v1::COVER_WATER), 0);
}

TEST(CoverTest, ForestNeedsRainAndWarmth) {
  const CoverSite hill{.height_m = 300, .east_slope = 0.2F, .area_m2 = 2000};
  EXPECT_GT(ShareOf(MeanCover({.rain_mm = 1500}, hill), v1::COVER_FOREST), kMostly);
  EXPECT_LT(ShareOf(MeanCover({.rain_mm = 150}, hill), v1::COVER_FOREST), 0.01F);
  EXPECT_LT(ShareOf(MeanCover({.temperature_c = -4, .rain_mm = 1500}, hill), v1::COVER_FOREST),
            0.01F);
}

TEST(CoverTest, NothingIsGreenInADesert) {
  const CoverShares plain = MeanCover({.temperature_c = 22, .rain_mm = 60, .sea = false},
                                      {.height_m = 300, .east_slope = 0.01F, .area_m2 = 500});
  for (const v1::Cover green :
       {v1::COVER_GRASS, v1::COVER_FOREST, v1::COVER_WETLAND, v1::COVER_SHRUB}) {
    EXPECT_LT(ShareOf(plain, green), 0.05F) << v1::Cover_Name(green);
  }
  EXPECT_GT(ShareOf(plain, v1::COVER_SAND) + ShareOf(plain, v1::COVER_SOIL), kMostly);
}

TEST(CoverTest, WallsAreRockAndHighGroundIsSnow) {
  EXPECT_GT(ShareOf(MeanCover({}, {.height_m = 800, .east_slope = 2}), v1::COVER_ROCK), kMostly);
  EXPECT_GT(ShareOf(MeanCover({}, {.height_m = 4500, .east_slope = 0.3F}), v1::COVER_SNOW),
            kMostly);
  // Snow does not stay on a wall.
  EXPECT_LT(ShareOf(MeanCover({}, {.height_m = 4500, .east_slope = 2}), v1::COVER_SNOW), 0.01F);
}

TEST(CoverTest, ABeachIsLowAndFlatAndAtASea) {
  const CoverSite low{.height_m = 1, .east_slope = 0.04F};
  EXPECT_GT(ShareOf(MeanCover({}, low), v1::COVER_BEACH), kMostly);
  EXPECT_EQ(ShareOf(MeanCover({.sea = false}, low), v1::COVER_BEACH), 0);
  EXPECT_LT(ShareOf(MeanCover({}, {.height_m = 9, .east_slope = 0.04F}), v1::COVER_BEACH), 0.05F);
  // A very flat plain is not a beach, although it is low: its shore is far away.
  EXPECT_LT(ShareOf(MeanCover({}, {.height_m = 1.5F, .east_slope = 0.001F}), v1::COVER_BEACH),
            0.05F);
  EXPECT_LT(ShareOf(MeanCover({.temperature_c = 1}, low), v1::COVER_BEACH), 0.05F);
}

TEST(CoverTest, RiversAreAsWideAsTheirDischargeAsks) {
  const CoverPainter fine(*WorldOf({}), 12);  // cells of 1 m
  EXPECT_EQ(fine.RiverShare(1e4F, 0), 0);
  EXPECT_EQ(fine.RiverShare(1e9F, 0), 1);
  EXPECT_EQ(fine.RiverShare(1e9F, 5), 1);
  EXPECT_EQ(fine.RiverShare(1e9F, 50), 0);
  EXPECT_EQ(fine.RiverShare(0.99F * fine.min_river_m2(), 0), 0);
  EXPECT_GT(fine.RiverShare(1.05F * fine.min_river_m2(), 0), 0);
  float before = 0;
  for (float area = 1e4F; area < 1e10F; area *= 2) {
    const float share = fine.RiverShare(area, 0);
    EXPECT_GE(share, before) << area;
    before = share;
  }
  // Where rivers seldom have water, their bed is sand.
  const CoverSite bed{.height_m = 100, .area_m2 = 1e9F, .river = 1};
  EXPECT_NEAR(ShareOf(MeanCover({.rain_mm = 60}, bed), v1::COVER_SAND), 1, 1e-4F);
  EXPECT_NEAR(ShareOf(MeanCover({}, bed), v1::COVER_RIVER), 1, 1e-4F);
}

// Patches are at the same places at every level. Only the smallest patches appear or vanish.
TEST(CoverTest, PatchesAreTheSameAtTwoLevels) {
  const auto world = WorldOf({.rain_mm = 450});
  const CoverPainter coarse(*world, 12);
  const CoverPainter fine(*world, 13);
  // On a slope, the area that drains through a vertex is proportional to the cells' width.
  const auto site = [](float cell_m) {
    return CoverSite{.height_m = 700, .east_slope = 0.3F, .area_m2 = 300 * cell_m};
  };
  int different = 0;
  for (std::int64_t n = 0; n < 500; ++n) {
    const CoverShares parent = coarse.At(kernels::placeOnPlane(n * 77, -n * 31), site(1));
    const CoverShares child = fine.At(kernels::placeOnPlane(n * 154, -n * 62), site(0.5F));
    for (std::size_t k = 0; k < parent.size(); ++k) ASSERT_NEAR(parent[k], child[k], 1e-4F) << n;
    // The twin: at another place the cover differs.
    different += fine.At(kernels::placeOnPlane(n * 154 + 40, -n * 62), site(0.5F)) != child ? 1 : 0;
  }
  EXPECT_GT(different, 100);
}

TEST(PackedCoverTest, HasTheThreeLargestAndWeightsThatSumTo255) {
  std::mt19937_64 random(7);
  std::exponential_distribution<float> part(1);
  for (int n = 0; n < 2000; ++n) {
    CoverShares shares{};
    const auto classes = 1 + random() % shares.size();
    for (std::size_t k = 0; k < classes; ++k) shares[random() % shares.size()] = part(random);
    const float sum = std::accumulate(shares.begin(), shares.end(), 0.0F);
    for (float& share : shares) share /= sum;
    CoverShares sorted = shares;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const float shown = sorted[0] + sorted[1] + sorted[2];
    const auto parts = picture::CoverPartsOf(PackedCover(shares));
    float weights = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].share > 0) {
        EXPECT_EQ(shares[static_cast<std::size_t>(parts[k].cover)], sorted[k]);
      }
      EXPECT_NEAR(parts[k].share, sorted[k] / shown, 2.5F / 255);
      weights += parts[k].share;
    }
    EXPECT_FLOAT_EQ(weights, 1);
    const std::int32_t rounded = RoundedPackedCover(shares);
    EXPECT_EQ((rounded >> 12 & 255) % 17, 0);
    EXPECT_EQ((rounded >> 20 & 255) % 17, 0);
    EXPECT_NEAR(picture::CoverPartsOf(rounded)[0].share, parts[0].share, 36.0F / 255);
    EXPECT_GE(parts[0].share, parts[1].share);
    EXPECT_GE(parts[1].share, parts[2].share);
  }
}

}  // namespace
}  // namespace thalweg::tile
