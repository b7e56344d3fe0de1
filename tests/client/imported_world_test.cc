// The worlds that `thalweg import` makes.
#include <cmath>
#include <random>

#include "client/tools/import/land_margin.h"
#include "client/tools/import/land_spec.h"
#include "client/tools/import/land_waters.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/elevation/elevation_file.h"
#include "server/world/world.h"

namespace thalweg::real_land {
namespace {

using ::testing::HasSubstr;

// Land of any size of cells, height and steepness, with and without a sea.
LandFacts RandomFacts(std::mt19937_64& random, survey::Grid<double>& raster_m) {
  std::uniform_real_distribution<double> part(0, 1);
  LandFacts facts;
  facts.name = "land";
  facts.cell_m = std::pow(10, -2 + 5.6 * part(random));
  facts.level = LevelOf(facts.cell_m);
  facts.width = 64 + static_cast<int>(30 * part(random));
  facts.height = 64 + static_cast<int>(30 * part(random));
  const double relief_m = std::pow(10, -2 + 6 * part(random));
  const double middle_m = (15900 - relief_m / 2) * (2 * part(random) - 1);
  raster_m = survey::FilledGrid(facts.width, facts.height, 0.0);
  for (int y = 0; y < facts.height; ++y) {
    for (int x = 0; x < facts.width; ++x) {
      raster_m.At(x, y) = middle_m + relief_m / 2 * std::sin(0.2 * x) * std::cos(0.17 * y);
    }
  }
  facts.lowest_m = middle_m - relief_m / 2;
  facts.highest_m = middle_m + relief_m / 2;
  if (part(random) < 0.5) {
    facts.sea_level_m = facts.lowest_m + relief_m * part(random);
    facts.edge.in_sea = part(random);
  }
  facts.edge.mean_m = middle_m;
  return facts;
}

TEST(ImportedWorldTest, ServersAcceptImportedWorlds) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 150; ++i) {
    survey::Grid<double> raster_m;
    LandFacts facts = RandomFacts(random, raster_m);
    const Surroundings around = SurroundingsOf(facts);
    constexpr int kMargin = kMinMargin;
    facts.margin_m = kMargin * facts.cell_m;
    const Land land = LandOf(WithMargin(raster_m, facts.cell_m, kMargin, around), kMargin,
                             facts.cell_m, facts.level, facts.sea_level_m);
    facts.law = land.law;
    const auto file =
        elevation::ElevationFile::Parse(elevation::Encode(facts.cell_m, land.sheets)).value();
    facts.hash = file->hash();
    const auto world =
        world::World::Create(SpecOf(facts), [&](const std::string&) { return file; });
    EXPECT_TRUE(world.ok()) << world.status() << ", cells of " << facts.cell_m << " m, heights "
                            << facts.lowest_m << " to " << facts.highest_m;
    EXPECT_TRUE(CheckSpec(SpecOf(facts)).ok());
  }
}

TEST(ImportedWorldTest, ImportsCheckTheWorldThemselves) {
  LandFacts land;
  land.name = "land";
  land.cell_m = 30;
  land.width = land.height = 64;
  ASSERT_TRUE(CheckSpec(SpecOf(land)).ok());
  const auto message_of = [&](auto change) {
    LandFacts facts = land;
    change(facts);
    return std::string(CheckSpec(SpecOf(facts)).message());
  };
  EXPECT_THAT(message_of([](LandFacts& facts) { facts.name = "My land"; }),
              HasSubstr("invalid name: "));
  EXPECT_THAT(message_of([](LandFacts& facts) { facts.description = "a\nb"; }),
              HasSubstr("invalid description: "));
  EXPECT_THAT(message_of([](LandFacts& facts) { facts.crs = "/etc/passwd"; }),
              HasSubstr("invalid georeference.crs: "));
  EXPECT_THAT(message_of([](LandFacts& facts) { facts.cell_m = 1e9; }),
              HasSubstr("invalid cell_size_m: "));
}

}  // namespace
}  // namespace thalweg::real_land
