#include "proto/wire/layer_facts.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

namespace thalweg::wire {
namespace {

TEST(LayerFactsTest, EveryLayerIsFullyDescribed) {
  std::set<std::string> names;
  std::set<std::string> texts;
  for (const v1::Layer layer : AllLayers()) {
    const v1::LayerFacts& facts = FactsOf(layer);
    SCOPED_TRACE(v1::Layer_Name(layer));
    EXPECT_TRUE(names.insert(facts.name()).second);
    EXPECT_TRUE(texts.insert(facts.text()).second);
    EXPECT_GT(facts.scale(), 0);
    EXPECT_LT(facts.lattice_shift(), 31u);
    EXPECT_FALSE(facts.surface() && facts.lattice_shift() != 0);
    EXPECT_EQ(FindLayer(facts.name()), layer);
  }
  EXPECT_EQ(AllLayers().size(), static_cast<std::size_t>(v1::Layer_MAX));
  EXPECT_EQ(FindLayer("heights"), std::nullopt);
}

TEST(LayerFactsTest, NamesAreThoseOfTheEnumeration) {
  for (const v1::Layer layer : AllLayers()) {
    std::string name = "LAYER_" + FactsOf(layer).name();
    for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
    EXPECT_EQ(name, v1::Layer_Name(layer));
  }
}

TEST(LayerFactsTest, ScalesAreExact) {
  EXPECT_EQ(FactsOf(v1::LAYER_HEIGHT).scale(), 1.0 / 65536);
  EXPECT_EQ(FactsOf(v1::LAYER_FLOW).scale(), 1.0 / 256);
  EXPECT_EQ(FactsOf(v1::LAYER_SHORE_DIRECTION).scale(), 360.0 / 65536);
  EXPECT_EQ(FactsOf(v1::LAYER_NORMAL).scale(), 1.0 / 32767);
}

TEST(LayerFactsTest, GreyLevelsOfHeightsAreEighthsOfAMetre) {
  EXPECT_EQ(GreyStepOf(FactsOf(v1::LAYER_HEIGHT)), 0.125);
  EXPECT_EQ(GreyOffsetOf(FactsOf(v1::LAYER_HEIGHT)), -1024);
  EXPECT_FALSE(FactsOf(v1::LAYER_NORMAL).has_grey());
}

TEST(LayerFactsDeathTest, AnInvalidLayerAborts) {
  EXPECT_DEATH((void)FactsOf(v1::LAYER_UNSPECIFIED), "layer 0 was not checked");
}

}  // namespace
}  // namespace thalweg::wire
