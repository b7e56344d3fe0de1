#include "proto/wire/limits.h"

#include <gtest/gtest.h>

#include <string>

namespace thalweg::wire {
namespace {

TEST(WorldNameTest, HasLettersDigitsAndHyphens) {
  EXPECT_TRUE(IsWorldName("a"));
  EXPECT_TRUE(IsWorldName("high-alps-2"));
  EXPECT_TRUE(IsWorldName(std::string(kMaxNameBytes, 'x')));
  for (const std::string& name :
       {std::string(), std::string("Alps"), std::string("a b"), std::string("a/b"),
        std::string("\xc3\xa4"), std::string(kMaxNameBytes + 1, 'x')}) {
    EXPECT_FALSE(IsWorldName(name)) << name;
  }
}

}  // namespace
}  // namespace thalweg::wire
