#include "server/http/target.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace thalweg::http {
namespace {

TEST(TargetTest, SplitsAndDecodesATarget) {
  const auto target = ParseTarget("/v1/worlds/alpine%407/tiles/4/-1/2.png?layer=slope&size=257");
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->segments,
            (std::vector<std::string>{"v1", "worlds", "alpine@7", "tiles", "4", "-1", "2.png"}));
  ASSERT_EQ(target->parameters.size(), 2U);
  EXPECT_EQ(target->parameters[0].first, "layer");
  EXPECT_EQ(target->parameters[1].second, "257");
  EXPECT_EQ(ParseTarget("/")->segments, std::vector<std::string>{""});
  EXPECT_TRUE(ParseTarget("/?")->parameters.empty());
  EXPECT_EQ(ParseTarget("/?a+b=c%20d")->parameters[0],
            (std::pair<std::string, std::string>("a b", "c d")));
}

TEST(TargetTest, TricksAreErrors) {
  for (const std::string text :
       {"",       "v1",     "*",      "http://a/b", "/..",   "/a/../b", "/%2e%2e/b",
        "/a/%2E", "/a%2fb", "/a%5Cb", "/a\\b",      "/%00",  "/%",      "/%4",
        "/%zz",   "/%1f",   "/a?b=%", "/a?b=%0a",   "/\x80", "/a\x7f"}) {
    EXPECT_EQ(ParseTarget(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_TRUE(ParseTarget("/" + std::string(kMaxTargetBytes - 1, 'a')).ok());
  EXPECT_FALSE(ParseTarget("/" + std::string(kMaxTargetBytes, 'a')).ok());
}

// For any bytes, the segments have nothing that could leave a folder or break a line.
TEST(TargetTest, SurvivesRandomBytes) {
  std::mt19937_64 random(7);
  const std::string letters = "/%.?&=+a2eEfF0\\\r\n\t\x01\x80-";
  int accepted = 0;
  for (int n = 0; n < 50'000; ++n) {
    std::string text = "/";
    for (std::uint64_t k = random() % 24; k > 0; --k) text += letters[random() % letters.size()];
    const auto target = ParseTarget(text);
    if (!target.ok()) continue;
    ++accepted;
    for (const std::string& segment : target->segments) {
      EXPECT_NE(segment, "..") << text;
      for (const char c : segment) {
        EXPECT_TRUE(c != '/' && c != '\\' && (static_cast<unsigned char>(c) >= 0x20)) << text;
      }
    }
  }
  EXPECT_GT(accepted, 1'000);
}

TEST(DecimalTest, ReadsEveryNumberAsPrinted) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 10'000; ++n) {
    const auto value = static_cast<std::int64_t>(random()) >> (random() % 64);
    EXPECT_EQ(ParseDecimal(std::to_string(value)), value);
  }
  EXPECT_EQ(ParseDecimal("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(DecimalTest, RefusesAnythingButPlainNumbers) {
  for (const char* text : {"", "-", "+1", "01", "-0", "-01", " 1", "1 ", "1.0", "1e3", "0x1", "1_0",
                           "9223372036854775808", "99999999999999999999", "NaN", "--1"}) {
    EXPECT_FALSE(ParseDecimal(text)) << text;
  }
}

TEST(RealTest, TakesFiniteNumbers) {
  EXPECT_EQ(ParseReal("-12.5"), -12.5);
  EXPECT_EQ(ParseReal("0"), 0);
  EXPECT_EQ(ParseReal("1e6"), 1'000'000);
  EXPECT_EQ(ParseReal("-1.04858E+06"), -1'048'580);
  EXPECT_EQ(ParseReal("25e-1"), 2.5);
  for (const char* text : {"", "nan", "inf", "-inf", "1e309", "1e", "e6", "1e 06", "1e6.5", "+1",
                           "0x10", "1,5", "x", "1 "}) {
    EXPECT_FALSE(ParseReal(text)) << text;
  }
}

TEST(RealTest, ReadsBackAsPrinted) {
  EXPECT_EQ(PrintReal(0), "0");
  EXPECT_EQ(PrintReal(1'048'576), "1048576");
  EXPECT_EQ(PrintReal(-0.125), "-0.125");
  EXPECT_EQ(PrintReal(1.0 / 65'536), "0.0000152587890625");
  std::mt19937_64 random(6);
  for (int n = 0; n < 100'000; ++n) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = PrintReal(value);
    // No plus: in a URL it would be read as a space.
    ASSERT_EQ(text.find_first_not_of("-.0123456789"), std::string::npos) << text;
    const auto again = ParseReal(text);
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*again), std::bit_cast<std::uint64_t>(value)) << text;
  }
}

}  // namespace
}  // namespace thalweg::http
