#include "proto/wire/nearest_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thalweg::wire {
namespace {

const std::vector<std::string>& Fields() {
  static const std::vector<std::string> fields = {"name", "levels", "sea_level_m", "base_level",
                                                  "base_level_m"};
  return fields;
}

TEST(NearestNameTest, AMistakeOfOneLetterIsFound) {
  EXPECT_EQ(DidYouMean("sea_levl_m", Fields()), "; did you mean 'sea_level_m'?");
  EXPECT_EQ(DidYouMean("sea_levell_m", Fields()), "; did you mean 'sea_level_m'?");
  EXPECT_EQ(DidYouMean("sea-level-m", Fields()), "; did you mean 'sea_level_m'?");
  EXPECT_EQ(DidYouMean("nmae", Fields()), "; did you mean 'name'?");
}

TEST(NearestNameTest, TheCaseDoesNotMatter) {
  EXPECT_EQ(DidYouMean("Levels", Fields()), "; did you mean 'levels'?");
  EXPECT_EQ(DidYouMean("SEA_LEVEL_M", Fields()), "; did you mean 'sea_level_m'?");
}

TEST(NearestNameTest, TheNearestOfSeveralIsFound) {
  EXPECT_EQ(DidYouMean("base_levl", Fields()), "; did you mean 'base_level'?");
  EXPECT_EQ(DidYouMean("base_levl_m", Fields()), "; did you mean 'base_level_m'?");
}

TEST(NearestNameTest, AnUnrelatedNameIsNearNone) {
  EXPECT_EQ(DidYouMean("colour", Fields()), "");
  EXPECT_EQ(DidYouMean("", Fields()), "");
  EXPECT_EQ(DidYouMean("x", Fields()), "");
  EXPECT_EQ(DidYouMean("name", {}), "");
  EXPECT_EQ(DidYouMean(std::string(65, 'n'), {std::string(64, 'n')}), "");
}

}  // namespace
}  // namespace thalweg::wire
