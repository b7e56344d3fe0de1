#include "server/calls/call_listener.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace thalweg::calls {
namespace {

TEST(RequestIdTest, AcceptsShortPlainWords) {
  EXPECT_TRUE(IsRequestId("a"));
  EXPECT_TRUE(IsRequestId("4bf92f35-77b3.4da6_A3CE"));
  EXPECT_TRUE(IsRequestId(std::string(64, 'x')));
  for (const std::string& wrong :
       {std::string(), std::string(65, 'x'), std::string("a b"), std::string("a\nb"),
        std::string("a\"b"), std::string("\xc3\xa9"), std::string("a=b"), std::string(1, '\0')}) {
    EXPECT_FALSE(IsRequestId(wrong)) << wrong;
  }
}

TEST(RequestIdTest, GeneratedIdsAreValidAndUnique) {
  std::set<std::string> ids;
  for (int k = 0; k < 1'000; ++k) {
    const std::string id = MakeRequestId();
    EXPECT_TRUE(IsRequestId(id)) << id;
    EXPECT_EQ(id.size(), 16U);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1'000U);
}

}  // namespace
}  // namespace thalweg::calls
