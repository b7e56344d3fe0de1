// The cover of ground.
#include "server/tile/layers/cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "proto/picture/ramp.h"
#include "shaders/kernels/sphere.glsl"

namespace thalweg::tile {
namespace {

constexpr int kGroundLevel = 8;

struct Land {
  double temperature_c = 12;
  double rain_mm = 900;
  bool sea = true;
  // Whether levels from kGroundLevel on are made by `ground`.
  bool ground = false;
  // 0 for a plane.
  double radius_m = 0;
  std::uint64_t seed = 0;
};

std::shared_ptr<const world::World> WorldOf(const Land& land) {
  v1::WorldSpec spec;
  spec.set_name("land");
  spec.set_seed(land.seed);
  if (land.radius_m > 0) {
    spec.mutable_sphere()->set_radius_m(land.radius_m);
    spec.mutable_climate()->set_latitude_c(20);
  } else {
    spec.set_cell_size_m(4096);
  }
  spec.set_levels(16);
  spec.mutable_base()->set_constant(1);
  spec.add_rules();
  if (land.ground) {
    spec.mutable_rules(0)->set_to_level(kGroundLevel - 1);
    v1::LevelRule& rule = *spec.add_rules();
    rule.set_from_level(kGroundLevel);
    rule.add_stages()->mutable_ground();
  }
  if (land.sea) spec.set_sea_level_m(0);
  spec.mutable_climate()->set_temperature_c(land.temperature_c);
  spec.mutable_climate()->set_rain_mm(land.rain_mm);
  const auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return *world;
}

// The parts that the classes cover of one vertex.
using Parts = std::array<float, kCoverClasses>;

Parts PartsAt(const CoverShares& shares, std::size_t k) {
  Parts parts;
  for (std::size_t c = 0; c < parts.size(); ++c) parts[c] = shares[c].at(k);
  return parts;
}

Parts PaintOne(CoverPainter& painter, const kernels::Place& place, const CoverSite& site) {
  return PartsAt(painter.Paint({&place, 1}, {&site, 1}), 0);
}

// The mean cover of many vertices with this site, at a level with cells of 16 m.
Parts MeanCover(const Land& land, const CoverSite& site) {
  CoverPainter painter(*WorldOf(land), kGroundLevel);
  constexpr std::size_t kPlaces = 400;
  std::vector<kernels::Place> places;
  for (std::int64_t n = 0; n < std::int64_t{kPlaces}; ++n) {
    places.push_back(kernels::placeOnPlane(n * 3571, n * -917));
  }
  const CoverShares& shares = painter.Paint(places, std::vector<CoverSite>(kPlaces, site));
  Parts mean{};
  for (std::size_t k = 0; k < kPlaces; ++k) {
    const Parts here = PartsAt(shares, k);
    for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += here[c] / kPlaces;
  }
  return mean;
}

float ShareOf(const Parts& shares, v1::Cover cover) {
  return shares[static_cast<std::size_t>(cover)];
}

constexpr float kMostly = 0.8F;

// `ground` says where rock is bare; at other levels slopes tell.
TEST(CoverTest, RockIsWhereGroundHasItBare) {
  const Land land{.ground = true};
  const CoverSite bare{.height_m = 300, .east_slope = 0.3F, .loose_m = 0};
  const CoverSite wall{.height_m = 300, .east_slope = 1.5F, .loose_m = 0.5F};
  EXPECT_NEAR(ShareOf(MeanCover(land, bare), v1::COVER_ROCK), 1, 1e-5);
  EXPECT_EQ(ShareOf(MeanCover(land, wall), v1::COVER_ROCK), 0);
  EXPECT_GT(ShareOf(MeanCover(land, wall), v1::COVER_SCREE), 0.9F);
  EXPECT_EQ(ShareOf(MeanCover(Land{}, bare), v1::COVER_ROCK), 0);
  EXPECT_GT(ShareOf(MeanCover(Land{}, wall), v1::COVER_ROCK), 0.9F);
}

TEST(CoverTest, StandingWaterCoversTheGround) {
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
  const Parts plain = MeanCover({.temperature_c = 22, .rain_mm = 60, .sea = false},
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

TEST(CoverTest, ABeachIsLowFlatAndAtASea) {
  const CoverSite low{.height_m = 1, .east_slope = 0.04F};
  EXPECT_GT(ShareOf(MeanCover({}, low), v1::COVER_BEACH), kMostly);
  EXPECT_EQ(ShareOf(MeanCover({.sea = false}, low), v1::COVER_BEACH), 0);
  EXPECT_LT(ShareOf(MeanCover({}, {.height_m = 9, .east_slope = 0.04F}), v1::COVER_BEACH), 0.05F);
  // A very flat plain is not a beach, although it is low: its shore is far away.
  EXPECT_LT(ShareOf(MeanCover({}, {.height_m = 1.5F, .east_slope = 0.001F}), v1::COVER_BEACH),
            0.05F);
  EXPECT_LT(ShareOf(MeanCover({.temperature_c = 1}, low), v1::COVER_BEACH), 0.05F);
}

TEST(CoverTest, RiversAreAsWideAsTheirDischargeRequires) {
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
  CoverPainter coarse(*world, 12);
  CoverPainter fine(*world, 13);
  // On a slope, the area that drains through a vertex is proportional to the cells' width.
  const auto site = [](float cell_m) {
    return CoverSite{.height_m = 700, .east_slope = 0.3F, .area_m2 = 300 * cell_m};
  };
  int different = 0;
  for (std::int64_t n = 0; n < 500; ++n) {
    const Parts parent = PaintOne(coarse, kernels::placeOnPlane(n * 77, -n * 31), site(1));
    const Parts child = PaintOne(fine, kernels::placeOnPlane(n * 154, -n * 62), site(0.5F));
    for (std::size_t k = 0; k < parent.size(); ++k) ASSERT_NEAR(parent[k], child[k], 1e-4F) << n;
    // The twin: at another place the cover differs.
    different +=
        PaintOne(fine, kernels::placeOnPlane(n * 154 + 40, -n * 62), site(0.5F)) != child ? 1 : 0;
  }
  EXPECT_GT(different, 100);
}

class PaintedRowTest : public testing::TestWithParam<bool> {
 protected:
  float Between(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random_);
  }
  CoverSite RandomSite() {
    CoverSite site{.height_m = Between(-20, 3000),
                   .east_slope = Between(-1, 1) * Between(0, 1),
                   .south_slope = Between(-1, 1) * Between(0, 1),
                   .equator_slope = Between(-1, 1),
                   .latitude_sine = GetParam() ? Between(-1, 1) : 0,
                   .area_m2 = std::exp2(Between(0, 40))};
    if (random_() % 4 == 0) site.depth_m = Between(-5, 5);
    if (random_() % 4 == 0) site.river = Between(0, 1);
    return site;
  }
  // A vertex at the level, by two numbers from 0 to 2^(level + 6).
  kernels::Place PlaceOf(int level, std::int64_t column, std::int64_t row) const {
    return GetParam() ? kernels::placeOnSphere(2, level + kernels::kFaceBits, column, row)
                      : kernels::placeOnPlane(column - 5000, row);
  }
  std::shared_ptr<const world::World> RandomWorld() {
    return WorldOf({.temperature_c = Between(-5, 25),
                    .rain_mm = Between(0, 2000),
                    .sea = random_() % 2 == 0,
                    .radius_m = GetParam() ? 6'000'000.0 : 0.0,
                    .seed = random_()});
  }

  std::mt19937_64 random_{20261125};
};

// A painter makes noise's corners once for vertices that follow each other. The cover must be the
// one of a painter that has seen no other vertex.
TEST_P(PaintedRowTest, EqualsVerticesPaintedAlone) {
  for (int n = 0; n < 80; ++n) {
    const auto world = RandomWorld();
    const int level = static_cast<int>(random_() % 14);
    CoverPainter painter(*world, level);
    for (int row = 0; row < 3; ++row) {
      const auto most = static_cast<std::uint64_t>(1) << (level + 6);
      const auto column = static_cast<std::int64_t>(random_() % most);
      const auto line = static_cast<std::int64_t>(random_() % most);
      const auto step = static_cast<std::int64_t>(random_() % 3);
      std::vector<kernels::Place> places;
      std::vector<CoverSite> sites;
      const auto count = static_cast<std::int64_t>(random_() % 60);
      for (std::int64_t k = 0; k < count; ++k) {
        places.push_back(PlaceOf(level, column + k * step, line));
        sites.push_back(RandomSite());
      }
      if (random_() % 2 == 0) std::shuffle(places.begin(), places.end(), random_);
      const CoverShares& shares = painter.Paint(places, sites);
      for (std::size_t k = 0; k < places.size(); ++k) {
        CoverPainter fresh(*world, level);
        ASSERT_EQ(PartsAt(shares, k), PaintOne(fresh, places[k], sites[k]))
            << "world " << n << ", level " << level << ", row " << row << ", vertex " << k;
      }
    }
  }
}

// Where this holds, the rest of the site need not be known.
TEST_P(PaintedRowTest, SubmergedVerticesAreAlwaysWater) {
  for (int n = 0; n < 100; ++n) {
    const int level = static_cast<int>(random_() % 14);
    CoverPainter painter(*RandomWorld(), level);
    CoverSite site = RandomSite();
    site.river = Between(0, 1);
    site.depth_m = std::exp2(Between(-10, 10));
    const Parts parts = PaintOne(painter, PlaceOf(level, n, 7), site);
    Parts water{};
    water[v1::COVER_WATER] = 1;
    EXPECT_EQ(painter.Drowns(site.depth_m), parts == water) << site.depth_m;
  }
}

INSTANTIATE_TEST_SUITE_P(OnPlanesAndPlanets, PaintedRowTest, testing::Bool());

// The packed value of one vertex.
std::int32_t PackedOne(const Parts& parts, int step) {
  CoverShares shares;
  for (std::size_t c = 0; c < parts.size(); ++c) shares[c] = {parts[c]};
  std::int32_t packed = 0;
  PackCover(shares, step, {&packed, 1});
  return packed;
}

TEST(PackCoverTest, HasTheThreeLargestAndWeightsThatSumTo255) {
  std::mt19937_64 random(7);
  std::exponential_distribution<float> part(1);
  for (int n = 0; n < 2000; ++n) {
    Parts shares{};
    const auto classes = 1 + random() % shares.size();
    for (std::size_t k = 0; k < classes; ++k) shares[random() % shares.size()] = part(random);
    const float sum = std::accumulate(shares.begin(), shares.end(), 0.0F);
    for (float& share : shares) share /= sum;
    Parts sorted = shares;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const float shown = sorted[0] + sorted[1] + sorted[2];
    const auto parts = picture::CoverPartsOf(PackedOne(shares, kExactStep));
    float weights = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].share > 0) {
        EXPECT_EQ(shares[static_cast<std::size_t>(parts[k].cover)], sorted[k]);
      }
      EXPECT_NEAR(parts[k].share, sorted[k] / shown, 2.5F / 255);
      weights += parts[k].share;
    }
    EXPECT_FLOAT_EQ(weights, 1);
    const std::int32_t rounded = PackedOne(shares, kLatticeStep);
    EXPECT_EQ((rounded >> 12 & 255) % 17, 0);
    EXPECT_EQ((rounded >> 20 & 255) % 17, 0);
    EXPECT_NEAR(picture::CoverPartsOf(rounded)[0].share, parts[0].share, 36.0F / 255);
    EXPECT_GE(parts[0].share, parts[1].share);
    EXPECT_GE(parts[1].share, parts[2].share);
  }
}

// Rows of shares, many of them equal or 0, against a search for the largest of those that are left.
TEST(PackCoverTest, AmongEqualSharesTheFirstWins) {
  std::mt19937_64 random(8);
  for (int n = 0; n < 300; ++n) {
    const std::size_t vertices = random() % 20;
    CoverShares shares;
    for (std::vector<float>& share : shares) {
      const bool nowhere = random() % 3 == 0;
      for (std::size_t k = 0; k < vertices; ++k) {
        share.push_back(nowhere ? 0 : static_cast<float>(random() % 4) / 4);
      }
    }
    for (const int step : {kExactStep, kLatticeStep}) {
      std::vector<std::int32_t> packed(vertices);
      PackCover(shares, step, packed);
      for (std::size_t k = 0; k < vertices; ++k) {
        Parts left = PartsAt(shares, k);
        std::array<std::int32_t, 3> largest{};
        std::array<float, 3> share{};
        for (std::size_t rank = 0; rank < largest.size(); ++rank) {
          const auto max = std::max_element(left.begin(), left.end());
          largest[rank] = static_cast<std::int32_t>(max - left.begin());
          share[rank] = *max;
          *max = -1;
        }
        const float sum = std::max(share[0] + share[1] + share[2], 1e-6F);
        const auto weight = [&](float part) {
          return static_cast<std::int32_t>(part * (255 / sum / static_cast<float>(step))) * step;
        };
        const std::int32_t second = weight(share[1]);
        const std::int32_t third = weight(share[2]);
        const std::int32_t expected = largest[0] | largest[second == 0 ? 0 : 1] << 4 |
                                      largest[third == 0 ? 0 : 2] << 8 | second << 12 | third << 20;
        ASSERT_EQ(packed[k], expected) << "row " << n << ", vertex " << k;
      }
    }
  }
}

}  // namespace
}  // namespace thalweg::tile
