#include "client/src/contract/messages.h"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(OneLineTest, LeavesTextAlone) {
  for (const char* text : {"", "unknown world 'alps'; there are alpine and islands", "a \\ \"b\"",
                           "h\u00f6her \u4e16\u754c \U0001f3d4"}) {
    EXPECT_EQ(OneLine(text), text);
  }
}

TEST(OneLineTest, EscapesControlCharacters) {
  EXPECT_EQ(OneLine("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(OneLine(std::string_view("\0\x1b[2J\x7f", 6)), "\\x00\\x1b[2J\\x7f");
  EXPECT_EQ(OneLine("\u0085\u009b"), "\\xc2\\x85\\xc2\\x9b");
  EXPECT_EQ(OneLine("\u202e\u2066\u2028\u200f"),
            "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\xa8\\xe2\\x80\\x8f");
}

TEST(OneLineTest, EscapesInvalidUtf8) {
  EXPECT_EQ(OneLine("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");  // an overlong slash
  EXPECT_EQ(OneLine("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(OneLine("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(OneLine("a\xe2\x82"), "a\\xe2\\x82");  // cut off
}

TEST(OneLineTest, CutsBetweenCharacters) {
  EXPECT_EQ(OneLine("abcdef", 6), "abcdef");
  EXPECT_EQ(OneLine("abcdefg", 6), "abcdef...");
  EXPECT_EQ(OneLine("abcd\u00e9\u00e9", 5), "abcd...");
  EXPECT_EQ(OneLine("abcd\n", 5), "abcd...");
}

}  // namespace
}  // namespace thalweg
