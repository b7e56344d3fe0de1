#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "server/http/content_coding.h"

namespace thalweg::http {
namespace {

TEST(EtagTest, DiffersWhereItsTextDoes) {
  std::set<std::string> etags;
  for (int k = 0; k < 10'000; ++k) etags.insert(EtagOf("tile " + std::to_string(k)));
  EXPECT_EQ(etags.size(), 10'000U);
  EXPECT_EQ(EtagOf("tile 1"), EtagOf("tile 1"));
  EXPECT_EQ(EtagOf("").size(), 34U);
}

TEST(EtagTest, IsFoundInLists) {
  const std::string etag = EtagOf("a");
  const std::string other = EtagOf("b");
  const std::vector<std::string> lists = {
      etag, "W/" + etag, other + ", " + etag, "\t" + etag + " ,x", "*", other + ",W/" + etag};
  for (const std::string& value : lists) {
    EXPECT_TRUE(Matches(value, etag)) << value;
  }
  for (const std::string& value :
       {std::string(), other, etag.substr(1), etag + "x", std::string(",,,"), "w/" + etag}) {
    EXPECT_FALSE(Matches(value, etag)) << value;
  }
}

}  // namespace
}  // namespace thalweg::http
