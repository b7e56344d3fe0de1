#include "server/raster/format.h"

#include <gtest/gtest.h>

#include "proto/wire/layer_facts.h"

namespace thalweg::raster {
namespace {

// It also fails if the table is not in the order of Format.
TEST(FormatTest, EachHasAnExtensionAndSupportsItsDefaultLayer) {
  int count = 0;
  for (int n = 0; n <= static_cast<int>(Format::kLerc); ++n) {
    const auto format = static_cast<Format>(n);
    const FormatFacts& facts = FactsOf(format);
    EXPECT_EQ(facts.format, format);
    EXPECT_EQ(FormatOf(facts.extension), format);
    EXPECT_TRUE(facts.holds(facts.default_layer, wire::FactsOf(facts.default_layer)));
    ++count;
  }
  EXPECT_EQ(count, 6);
  EXPECT_EQ(FormatOf(""), std::nullopt);
  EXPECT_EQ(FormatOf("tlw"), std::nullopt);
}

TEST(FormatTest, ExtensionsReadAsAListInASentence) {
  EXPECT_EQ(Extensions(), "png, satellite.png, terrarium.png, mapbox.png, png16 or lerc");
}

// A direction is neither a number nor a surface, so only reliefs can show it.
TEST(FormatTest, OnlyReliefsHoldEveryLayer) {
  const v1::LayerFacts& normal = wire::FactsOf(v1::LAYER_NORMAL);
  for (int n = 0; n <= static_cast<int>(Format::kLerc); ++n) {
    const FormatFacts& facts = FactsOf(static_cast<Format>(n));
    EXPECT_EQ(facts.holds(v1::LAYER_NORMAL, normal), facts.format == Format::kRelief)
        << facts.extension;
  }
}

}  // namespace
}  // namespace thalweg::raster
