#include <gtest/gtest.h>

#include "server/world/starting_stages.h"
#include "server/world/world.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

LayerSet OfferedBy(const v1::WorldSpec& spec) {
  const auto world = World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return (*world)->layers();
}

TEST(OfferedLayersTest, IncludeThoseOfAnyErosion) {
  EXPECT_EQ(OfferedBy(SmallSpec()),
            (LayerSet{Layer::kHeight, Layer::kFlow, Layer::kSediment, Layer::kWashLoad,
                      Layer::kUplift, Layer::kWear, Layer::kDeposit}));
}

TEST(OfferedLayersTest, HaveWaterWithASeaOrWithPools) {
  EXPECT_FALSE(OfferedBy(SmallSpec()).Contains(Layer::kWater));
  EXPECT_TRUE(OfferedBy(SmallSpecWith("sea_level_m: 3")).Contains(Layer::kWater));
  v1::WorldSpec pools = SmallSpec();
  pools.mutable_rules(0)->add_stages()->mutable_pools();
  EXPECT_TRUE(OfferedBy(pools).Contains(Layer::kWater));
  EXPECT_FALSE(OfferedBy(pools).Contains(Layer::kVegetation));
  EXPECT_FALSE(OfferedBy(pools).Contains(Layer::kShore));
}

TEST(WorldTest, HasLakesWhereAStageMakesThem) {
  const auto has_lakes = [](const v1::WorldSpec& spec) {
    const auto world = World::Create(spec);
    EXPECT_TRUE(world.ok()) << world.status();
    return (*world)->has_lakes();
  };
  EXPECT_FALSE(has_lakes(SmallSpecWith("sea_level_m: 3")));
  v1::WorldSpec spec = SmallSpec();
  // Vegetation passes on a plane of water that no stage has filled.
  spec.mutable_rules(0)->add_stages()->mutable_vegetation();
  EXPECT_FALSE(has_lakes(spec));
  spec.mutable_rules(0)->add_stages()->mutable_pools();
  EXPECT_TRUE(has_lakes(spec));
}

// The fraction is only for tests that count grains, so clients don't get it.
TEST(OfferedLayersTest, LeaveOutTheFraction) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_FALSE(OfferedLayers(RandomSpec(seed)).Contains(Layer::kFraction)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace thalweg::world
