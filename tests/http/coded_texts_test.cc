#include <gtest/gtest.h>

#include <string>

#include "server/http/site.h"
#include "tests/http/decode.h"

namespace thalweg::http {
namespace {

std::string TextOf(int number) {
  std::string text;
  for (int k = 0; k < 200; ++k) text += std::to_string(number * 7'919 + k);
  return text;
}

TEST(CodedTextsTest, EachTextIsCompressedOnce) {
  CodedTexts texts(std::size_t{1} << 20);
  for (int round = 0; round < 3; ++round) {
    for (const Coding coding : {Coding::kGzip, Coding::kZstd}) {
      for (int k = 0; k < 4; ++k) {
        const std::string text = TextOf(k);
        EXPECT_EQ(Decode(*texts.Get(text, coding), coding, text.size()), text);
      }
    }
  }
  EXPECT_EQ(texts.made(), 8U);
  EXPECT_EQ(texts.Get(TextOf(1), Coding::kZstd), texts.Get(TextOf(1), Coding::kZstd));
}

TEST(CodedTextsTest, EachTextIsPrintedOnce) {
  CodedTexts texts(std::size_t{1} << 20);
  int printed = 0;
  const auto print = [&](const std::string& key) {
    return texts.Printed(key, [&]() -> absl::StatusOr<std::string> {
      ++printed;
      if (key == "bad") return absl::NotFoundError("no such thing");
      return "text of " + key;
    });
  };
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(**print("a"), "text of a");
    EXPECT_EQ(**print("b"), "text of b");
  }
  EXPECT_EQ(printed, 2);
  // Errors are not kept.
  EXPECT_EQ(print("bad").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(print("bad").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(printed, 4);
}

TEST(CodedTextsTest, FindDoesNotCompress) {
  CodedTexts texts(std::size_t{1} << 20);
  EXPECT_EQ(texts.Find(TextOf(1), Coding::kGzip), nullptr);
  EXPECT_EQ(texts.made(), 0U);
  const Body made = texts.Get(TextOf(1), Coding::kGzip);
  EXPECT_EQ(texts.Find(TextOf(1), Coding::kGzip), made);
  EXPECT_EQ(texts.Find(TextOf(1), Coding::kZstd), nullptr);
  EXPECT_EQ(texts.made(), 1U);
}

// The twin of the first test: texts that do not fit are made again.
TEST(CodedTextsTest, TextsBeyondTheBudgetAreCompressedAgain) {
  CodedTexts texts(4'000);
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < 50; ++k) texts.Get(TextOf(k), Coding::kZstd);
  }
  EXPECT_EQ(texts.made(), 150U);
}

}  // namespace
}  // namespace thalweg::http
