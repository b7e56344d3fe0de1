#include "server/http/parameters.h"

#include <gtest/gtest.h>

namespace thalweg::http {
namespace {

TEST(ParametersTest, AreKnownAndThereOnce) {
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

}  // namespace
}  // namespace thalweg::http
