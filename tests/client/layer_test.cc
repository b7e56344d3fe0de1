#include "thalweg/layer.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <utility>

#include "thalweg/v1/tile.pb.h"

namespace thalweg {
namespace {

TEST(LayerTest, HasANameAndATextOfItsOwn) {
  std::set<std::string_view> names;
  std::set<std::string_view> texts;
  int number = 0;
  for (const LayerDescription& layer : AllLayers()) {
    EXPECT_EQ(static_cast<int>(layer.layer), ++number);
    EXPECT_TRUE(IsLayer(number));
    EXPECT_TRUE(names.insert(layer.name).second) << layer.name;
    EXPECT_TRUE(texts.insert(layer.text).second) << layer.name;
    EXPECT_GT(layer.scale, 0) << layer.name;
    EXPECT_EQ(&DescriptionOf(layer.layer), &layer);
    EXPECT_EQ(LayerFromName(LayerName(layer.layer)), layer.layer);
  }
  // The last layer of the header.
  EXPECT_EQ(number, static_cast<int>(Layer::kCover));
  EXPECT_FALSE(IsLayer(0));
  EXPECT_FALSE(IsLayer(number + 1));
  EXPECT_EQ(LayerFromName("lava"), std::nullopt);
}

// The layers are compared by name, so that swapped numbers are found.
TEST(LayerTest, NumbersAreThoseOfTheContract) {
  constexpr std::array kLayers = {
      std::pair{Layer::kHeight, v1::LAYER_HEIGHT},
      std::pair{Layer::kFlow, v1::LAYER_FLOW},
      std::pair{Layer::kWashLoad, v1::LAYER_WASH_LOAD},
      std::pair{Layer::kUplift, v1::LAYER_UPLIFT},
      std::pair{Layer::kSediment, v1::LAYER_SEDIMENT},
      std::pair{Layer::kWaterLevel, v1::LAYER_WATER_LEVEL},
      std::pair{Layer::kWaterDepth, v1::LAYER_WATER_DEPTH},
      std::pair{Layer::kVegetation, v1::LAYER_VEGETATION},
      std::pair{Layer::kWear, v1::LAYER_WEAR},
      std::pair{Layer::kDeposit, v1::LAYER_DEPOSIT},
      std::pair{Layer::kShoreDistance, v1::LAYER_SHORE_DISTANCE},
      std::pair{Layer::kShoreDirection, v1::LAYER_SHORE_DIRECTION},
      std::pair{Layer::kNormal, v1::LAYER_NORMAL},
      std::pair{Layer::kSlope, v1::LAYER_SLOPE},
      std::pair{Layer::kCover, v1::LAYER_COVER},
  };
  constexpr std::array kClasses = {
      std::pair{Cover::kWater, v1::COVER_WATER},     std::pair{Cover::kRiver, v1::COVER_RIVER},
      std::pair{Cover::kBeach, v1::COVER_BEACH},     std::pair{Cover::kSand, v1::COVER_SAND},
      std::pair{Cover::kRock, v1::COVER_ROCK},       std::pair{Cover::kScree, v1::COVER_SCREE},
      std::pair{Cover::kSoil, v1::COVER_SOIL},       std::pair{Cover::kGrass, v1::COVER_GRASS},
      std::pair{Cover::kShrub, v1::COVER_SHRUB},     std::pair{Cover::kForest, v1::COVER_FOREST},
      std::pair{Cover::kWetland, v1::COVER_WETLAND}, std::pair{Cover::kSnow, v1::COVER_SNOW},
      std::pair{Cover::kSalt, v1::COVER_SALT},
  };
  static_assert(kLayers.size() == v1::Layer_ARRAYSIZE - 1);
  static_assert(kClasses.size() == kCovers && kCovers == v1::Cover_ARRAYSIZE);
  for (const auto& [layer, number] : kLayers) EXPECT_EQ(static_cast<int>(layer), number);
  for (const auto& [cover, number] : kClasses) EXPECT_EQ(static_cast<int>(cover), number);
}

TEST(LayerTest, UnpacksNormals) {
  EXPECT_EQ(UnpackNormal(0).up, 1);
  const Normal west = UnpackNormal(static_cast<std::int32_t>(0x0000'8001U));
  EXPECT_EQ(west.east, -1);
  EXPECT_EQ(west.south, 0);
  EXPECT_EQ(west.up, 0);
  const Normal tilted = UnpackNormal(static_cast<std::int32_t>(0xC000'4000U));
  EXPECT_NEAR(tilted.east, 0.5, 1e-4);
  EXPECT_NEAR(tilted.south, -0.5, 1e-4);
  EXPECT_NEAR(tilted.up, 0.70711, 1e-4);
}

TEST(LayerTest, CoversHaveNames) {
  std::set<std::string> names;
  for (int cover = 0; cover < kCovers; ++cover) names.insert(CoverName(static_cast<Cover>(cover)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kCovers));
  EXPECT_EQ(CoverName(Cover::kWater), "water");
  EXPECT_EQ(CoverName(Cover::kSalt), "salt");
}

TEST(LayerTest, UnpacksCover) {
  // Grass (7) has 60 of 255, rock (4) has 15, and forest (9) the rest.
  const auto parts = UnpackCover(9 | 7 << 4 | 4 << 8 | 60 << 12 | 15 << 20);
  EXPECT_EQ(parts[0].cover, Cover::kForest);
  EXPECT_EQ(parts[0].weight, 180);
  EXPECT_EQ(parts[1].cover, Cover::kGrass);
  EXPECT_EQ(parts[1].weight, 60);
  EXPECT_EQ(parts[2].cover, Cover::kRock);
  EXPECT_EQ(parts[2].weight, 15);
}

}  // namespace
}  // namespace thalweg
