#include <gtest/gtest.h>

#include <cstring>

#include "server/tiles3d/cell.h"
#include "server/tiles3d/subtree_query.h"
#include "tests/field/planet_world.h"
#include "tests/tiles3d/content_reader.h"

namespace thalweg::tiles3d {
namespace {

struct Subtree {
  google::protobuf::Struct json;
  std::string binary;

  std::string View(int n) const {
    const std::string view = "bufferViews/" + std::to_string(n);
    return binary.substr(static_cast<std::size_t>(NumberAt(json, view + "/byteOffset")),
                         static_cast<std::size_t>(NumberAt(json, view + "/byteLength")));
  }
};

Subtree ReadSubtree(const std::string& bytes) {
  const auto number = [&](std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
  };
  EXPECT_EQ(bytes.substr(0, 8), std::string("subt\1\0\0\0", 8));
  EXPECT_EQ(number(8) % 8, 0U);
  EXPECT_EQ(number(16) % 8, 0U);
  EXPECT_EQ(24 + number(8) + number(16), bytes.size());
  return {ReadJson(bytes.substr(24, number(8))), bytes.substr(24 + number(8))};
}

TEST(SubtreeFileTest, ContainsAllTilesWithTheirHeights) {
  std::vector<HeightBounds> bounds;
  for (int n = 0; n < 85; ++n) bounds.push_back({-n - 0.1, n + 0.1});
  const Subtree subtree = ReadSubtree(EncodeSubtree(bounds, true));
  for (const char* path : {"tileAvailability/constant", "contentAvailability/0/constant",
                           "childSubtreeAvailability/constant"}) {
    EXPECT_EQ(NumberAt(subtree.json, path), 1) << path;
  }
  EXPECT_EQ(NumberAt(subtree.json, "propertyTables/0/count"), 85);
  ASSERT_EQ(subtree.View(0).size(), 340U);
  for (int n = 0; n < 85; ++n) {
    float min = 0;
    float max = 0;
    std::memcpy(&min, subtree.View(0).data() + 4 * n, 4);
    std::memcpy(&max, subtree.View(1).data() + 4 * n, 4);
    // Bounds are rounded outward.
    EXPECT_LE(static_cast<double>(min), -n - 0.1);
    EXPECT_GE(static_cast<double>(max), n + 0.1);
    EXPECT_NEAR(static_cast<double>(max), n + 0.1, 1e-5);
  }
}

TEST(SubtreeFileTest, HasNoChildrenBeyondTheLastLevel) {
  const std::vector<HeightBounds> bounds(21, {0, 1});
  const Subtree subtree = ReadSubtree(EncodeSubtree(bounds, false));
  EXPECT_EQ(NumberAt(subtree.json, "childSubtreeAvailability/constant"), 0);
  EXPECT_EQ(NumberAt(subtree.json, "tileAvailability/availableCount"), 21);
  EXPECT_EQ(NumberAt(subtree.json, "tileAvailability/bitstream"), 2);
  // One bit for each of 85 tiles.
  EXPECT_EQ(subtree.View(2), std::string("\xff\xff\x1f\0\0\0\0\0\0\0\0", 11));
}

TEST(SubtreeHeightsTest, MatchTheGroundOfTheCells) {
  const auto world = field::PlanetWorld(12);
  const Cell root = {3, 8, 5, 250};
  // Heights rise by 10 m per column to the east, and by 2 m per row to the south.
  std::vector<std::int32_t> heights;
  for (int n = 0; n < 257 * 257; ++n) heights.push_back((n % 257 * 10 + n / 257 * 2) * 65'536);
  const SubtreeHeights subtree(*world, root, heights);
  const double margin_m = MarginM(*world, 8);
  const double skirt_m = SkirtM(*world, 8);
  const HeightBounds whole = subtree.Of(root);
  EXPECT_DOUBLE_EQ(whole.min_m, -margin_m - skirt_m);
  EXPECT_DOUBLE_EQ(whole.max_m, 3'072 + margin_m);
  // A tile two levels finer: in the third of four columns, and in the northernmost row.
  const HeightBounds part = subtree.Of(Below(root, 2, 2, 3));
  EXPECT_DOUBLE_EQ(part.min_m, 1'280 - margin_m - skirt_m / 4);
  EXPECT_DOUBLE_EQ(part.max_m, 1'920 + 128 + margin_m);
  const HeightBounds south = subtree.Of(Below(root, 4, 0, 0));
  EXPECT_DOUBLE_EQ(south.max_m, 160 + 512 + margin_m);
}

TEST(SubtreeHeightsTest, StayWithinTheRangeOfHeights) {
  const auto world = field::PlanetWorld(12);
  const std::vector<std::int32_t> heights(257 * 257, 0);
  const HeightBounds bounds = SubtreeHeights(*world, {}, heights).Of({});
  EXPECT_DOUBLE_EQ(bounds.min_m, WidestBounds(*world).min_m);
  EXPECT_DOUBLE_EQ(bounds.max_m, kMaxHeightM);
}

}  // namespace
}  // namespace thalweg::tiles3d
