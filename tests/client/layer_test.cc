#include "thalweg/layer.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "thalweg/v1/tile.pb.h"

namespace thalweg {
namespace {

TEST(LayerTest, EachHasItsOwnNameAndText) {
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
  EXPECT_EQ(number, v1::Layer_MAX);
  EXPECT_FALSE(IsLayer(0));
  EXPECT_FALSE(IsLayer(number + 1));
  EXPECT_EQ(LayerFromName("lava"), std::nullopt);
}

// The numbers of an enumeration by their names, as the public header writes them.
std::map<std::string, int> InHeader(const std::string& enumeration) {
  std::ifstream file(THALWEG_SOURCE_DIR "/client/include/thalweg/layer.h");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t begin = text.find("enum class " + enumeration + " ");
  EXPECT_NE(begin, std::string::npos);
  const std::string body = text.substr(begin, text.find("};", begin) - begin);
  const std::regex enumerator("(k[A-Za-z]+) = ([0-9]+),");
  std::map<std::string, int> numbers;
  for (std::sregex_iterator found(body.begin(), body.end(), enumerator), end; found != end;
       ++found) {
    numbers[(*found)[1]] = std::stoi((*found)[2]);
  }
  return numbers;
}

// The same of the contract: kWashLoad for LAYER_WASH_LOAD. Without LAYER_UNSPECIFIED.
std::map<std::string, int> InContract(const google::protobuf::EnumDescriptor& enumeration) {
  std::map<std::string, int> numbers;
  for (int i = 0; i < enumeration.value_count(); ++i) {
    const std::string& name = enumeration.value(i)->name();
    std::string constant = "k";
    for (std::size_t at = name.find('_') + 1; at < name.size(); ++at) {
      if (name[at] == '_') continue;
      const bool starts_word = name[at - 1] == '_';
      constant += starts_word ? name[at] : static_cast<char>(std::tolower(name[at]));
    }
    if (constant != "kUnspecified") numbers[constant] = enumeration.value(i)->number();
  }
  return numbers;
}

// They are compared by name, so that swapped numbers are found.
TEST(LayerTest, NumbersEqualThoseOfTheProtocol) {
  EXPECT_EQ(InHeader("Layer"), InContract(*v1::Layer_descriptor()));
  EXPECT_EQ(InHeader("Cover"), InContract(*v1::Cover_descriptor()));
  static_assert(kCovers == v1::Cover_ARRAYSIZE);
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
