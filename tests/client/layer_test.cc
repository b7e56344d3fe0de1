#include "thalweg/layer.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

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
  // The last one that the header has.
  EXPECT_EQ(number, static_cast<int>(Layer::kCover));
  EXPECT_FALSE(IsLayer(0));
  EXPECT_FALSE(IsLayer(number + 1));
  EXPECT_EQ(LayerFromName("lava"), std::nullopt);
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
  // Forest (9) and grass (7) by 60 of 255, rock (4) by 15.
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
