#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/tools/cli/planet_path.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::cli {
namespace {

using ::testing::HasSubstr;

std::string PathErrorOf(const std::string& text) {
  return std::string(ParsePath(text, "descent.csv").status().message());
}

TEST(PathFileTest, SkipsCommentsAndEmptyLines) {
  const auto path = ParsePath(
      "# seconds,latitude,longitude,height_m\n\n0,46,7,2e7\r\n \n # lower\n 30, 46.5 ,-8,2 \n",
      "descent.csv");
  ASSERT_TRUE(path.ok()) << path.status();
  EXPECT_EQ(path->seconds(), 30);
  EXPECT_NEAR(path->At(0).height_m, 2e7, 1e-3);
  EXPECT_NEAR(path->At(30).height_m, 2, 1e-9);
  EXPECT_LT(path->At(30).up.y, 0);
}

TEST(PathFileTest, NamesTheLineAndWhatIsWrong) {
  const std::string two = "0,46,7,100\n10,47,8,50\n";
  EXPECT_EQ(PathErrorOf(two), "");
  struct Bad {
    std::string third;
    std::string error;
  };
  const std::vector<Bad> lines = {
      {"20,95,8,2", "invalid latitude: expected -90 to 90, got 95"},
      {"20,48,-180.5,2", "invalid longitude: expected -180 to 180, got -180.5"},
      {"20,48,8,-2", "invalid height_m: expected 0 to 1e+09, got -2"},
      {"20,48,8,nan", "invalid height_m: expected 0 to 1e+09, got nan"},
      {"90000,48,8,2", "invalid seconds: expected 0 to 86400, got 90000"},
      {"10,48,8,2", "invalid seconds: expected more than 10, got 10"},
      {"20,48,8", "invalid line: expected 4 numbers with commas between, got 3"},
      {"20,48,8,,", "invalid line: expected 4 numbers with commas between, got 5"},
      {"20,-47,-172,2",
       "invalid position: expected less than half of the way around from the last point, got the "
       "opposite side of the planet"}};
  for (const Bad& line : lines) {
    EXPECT_EQ(PathErrorOf(two + line.third + "\n"), "descent.csv:3: " + line.error);
  }
}

TEST(PathFileTest, NamesWhatIsWrongAtTheBeginning) {
  EXPECT_EQ(PathErrorOf("# late\n5,46,7,100\n"),
            "descent.csv:2: invalid seconds: expected 0 for the first point, got 5");
  EXPECT_EQ(PathErrorOf("seconds,latitude,longitude,height_m\n"),
            "descent.csv:1: invalid seconds: expected 0 to 86400, got seconds");
}

TEST(PathFileTest, NeedsTwoPoints) {
  EXPECT_EQ(PathErrorOf(""), "descent.csv: invalid path: expected 2 or more points, got 0");
  EXPECT_EQ(PathErrorOf("0,46,7,2"), "descent.csv: invalid path: expected 2 or more points, got 1");
}

TEST(PathFileTest, QuotesOnlyTheBeginningOfWhatIsNoText) {
  const std::string error = PathErrorOf("\x01" + std::string(1'000, 'x') + ",1,2,3\n");
  EXPECT_THAT(error, HasSubstr("got \\001xxx"));
  EXPECT_LT(error.size(), 200U);
}

TEST(PathFileTest, IsReadFromAFile) {
  const access::TemporaryFolder folder;
  EXPECT_EQ(ReadPath(folder.Put("path.csv", "0,1,2,3\n4,5,6,7\n"))->seconds(), 4);
  const std::string bad = folder.Put("bad.csv", "0,1,2,3\n4,5,6\n");
  EXPECT_THAT(std::string(ReadPath(bad).status().message()), HasSubstr(bad + ":2: invalid line"));
  EXPECT_TRUE(absl::IsNotFound(ReadPath(folder.Path("none.csv")).status()));
}

}  // namespace
}  // namespace thalweg::cli
