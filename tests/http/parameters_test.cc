#include "server/http/parameters.h"

#include <gtest/gtest.h>

namespace thalweg::http {
namespace {

TEST(ParametersTest, UnknownAndRepeatedParametersAreRefused) {
  const auto parameters = Parameters::Parse({{"size", "256"}}, {"layer", "size"});
  ASSERT_TRUE(parameters.ok());
  EXPECT_EQ(*parameters->Find("size"), "256");
  EXPECT_EQ(parameters->Find("layer"), nullptr);
  for (const Parameters::List& list :
       {Parameters::List{{"sise", "1"}}, Parameters::List{{"size", "1"}, {"size", "1"}},
        Parameters::List{{"", ""}}}) {
    EXPECT_EQ(Parameters::Parse(list, {"size"}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(ParametersTest, ParametersForCachesAreIgnored) {
  const auto parameters =
      Parameters::Parse({{"_", "1700000000"}, {"size", "256"}, {"v", "2"}, {"_", "3"}}, {"size"});
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  EXPECT_EQ(*parameters->Find("size"), "256");
  EXPECT_EQ(parameters->Find("_"), nullptr);
}

TEST(ParametersTest, TokensBelongInAHeader) {
  const auto parameters = Parameters::Parse({{"token", "secret"}}, {"size"});
  EXPECT_EQ(parameters.status().message(),
            "invalid parameter: expected a token in the header Authorization, since URLs are "
            "logged and shared, got 'token'");
}

}  // namespace
}  // namespace thalweg::http
