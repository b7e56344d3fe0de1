#include "proto/base/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace thalweg::json {
namespace {

using nlohmann::ordered_json;

TEST(JsonTextTest, KeepsTheOrderOfMembers) {
  EXPECT_EQ(TextOf({{"b", 1}, {"a", {2, 3}}, {"c", {{"d", nullptr}, {"e", true}}}}),
            R"({"b":1,"a":[2,3],"c":{"d":null,"e":true}})");
}

TEST(JsonTextTest, EscapesSpecialCharacters) {
  EXPECT_EQ(TextOf("a\"b\\c\n\x01"), R"("a\"b\\c\n\u0001")");
  EXPECT_EQ(TextOf("h\xC3\xBCgel"), "\"h\xC3\xBCgel\"");
}

TEST(JsonTextTest, ReplacesInvalidUtf8) { EXPECT_EQ(TextOf("a\xFFz"), "\"a\xEF\xBF\xBDz\""); }

TEST(JsonTextTest, WholeNumbersHaveNoDecimalPoint) {
  EXPECT_EQ(TextOf({0.5, -3.0, 0.1, 1e5, 9007199254740992.0, 1.52587890625e-05, -0.0}),
            "[0.5,-3,0.1,100000,9007199254740992,1.52587890625e-05,0]");
  EXPECT_EQ(TextOf({{"a", {{"b", {512.0, 0.25}}}}}), R"({"a":{"b":[512,0.25]}})");
  EXPECT_EQ(TextOf(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(TextOf(1e300), "1e+300");
}

TEST(JsonTextTest, NumbersThatAreNotFiniteAreNull) {
  EXPECT_EQ(TextOf({std::numeric_limits<double>::infinity(), std::nan("")}), "[null,null]");
}

TEST(JsonTextTest, RoundedNumbersAreShort) {
  EXPECT_EQ(TextOf({Rounded(1.0 / 3, 3), Rounded(-2.0004, 3), Rounded(1234.56, 0)}),
            "[0.333,-2,1235]");
}

}  // namespace
}  // namespace thalweg::json
