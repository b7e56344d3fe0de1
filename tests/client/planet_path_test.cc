#include "client/tools/cli/planet_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/geometry/cube_sphere.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::cli {
namespace {

constexpr int kSeeds = 200;

sphere::LatLong PlaceOf(const PathPosition& position) {
  return sphere::LatLongOf({position.up.x, position.up.y, position.up.z});
}

double AngleBetween(const sphere::Vector& a, const sphere::Vector& b) {
  return std::atan2(Length(Cross(a, b)), Dot(a, b));
}

// A path of two to six points.
std::vector<PathPoint> RandomPoints(unsigned seed) {
  std::mt19937 random(seed);
  const auto from = [&random](double min, double max) {
    return std::uniform_real_distribution<double>(min, max)(random);
  };
  std::vector<PathPoint> points;
  const auto count = static_cast<std::size_t>(from(2, 7));
  double seconds = 0;
  while (points.size() < count) {
    points.push_back(
        {seconds, {from(-90, 90), from(-180, 180)}, std::exp(from(std::log(0.1), 17))});
    seconds += from(0.1, 60);
  }
  return points;
}

TEST(PlanetPathTest, PassesThroughItsPoints) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const std::vector<PathPoint> points = RandomPoints(seed);
    const PlanetPath path(points);
    EXPECT_EQ(path.seconds(), points.back().seconds);
    for (const PathPoint& point : points) {
      const PathPosition at = path.At(point.seconds);
      EXPECT_NEAR(PlaceOf(at).latitude, point.place.latitude, 1e-6);
      EXPECT_NEAR(PlaceOf(at).longitude, point.place.longitude, 1e-6);
      EXPECT_NEAR(at.height_m / point.height_m, 1, 1e-12);
    }
  }
}

TEST(PlanetPathTest, FollowsGreatCirclesAtAConstantSpeed) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const std::vector<PathPoint> points = RandomPoints(seed);
    const PlanetPath path(points);
    const double end = points[1].seconds;
    const sphere::Vector from = path.At(0).up;
    const sphere::Vector to = path.At(end).up;
    const sphere::Vector axis = sphere::Unit(Cross(from, to));
    for (const double share : {0.0, 0.1, 0.35, 0.5, 0.8, 0.99}) {
      const sphere::Vector up = path.At(share * end).up;
      EXPECT_NEAR(Length(up), 1, 1e-12);
      EXPECT_NEAR(Dot(up, axis), 0, 1e-9);
      EXPECT_NEAR(AngleBetween(from, up), share * AngleBetween(from, to), 1e-9);
    }
  }
}

TEST(PlanetPathTest, DoesNotFollowTheCircleOfLatitude) {
  const PlanetPath path({{0, {60, 0}, 1}, {1, {60, 90}, 1}});
  // By hand: tan(latitude) = tan(60) / cos(45).
  EXPECT_NEAR(PlaceOf(path.At(0.5)).latitude, 67.7923, 1e-4);
  EXPECT_NEAR(PlaceOf(path.At(0.5)).longitude, 45, 1e-9);
}

TEST(PlanetPathTest, CrossesTheDateLineOnTheShortWay) {
  const PlanetPath path({{0, {10, 179}, 1}, {1, {10, -179}, 1}, {2, {10, 178}, 1}});
  for (double seconds = 0; seconds <= 2; seconds += 0.01) {
    EXPECT_GE(std::abs(PlaceOf(path.At(seconds)).longitude), 178 - 1e-9) << seconds;
    EXPECT_NEAR(PlaceOf(path.At(seconds)).latitude, 10, 0.01) << seconds;
  }
  EXPECT_NEAR(std::abs(PlaceOf(path.At(0.5)).longitude), 180, 1e-9);
}

TEST(PlanetPathTest, ChangesItsHeightByEqualFactorsInEqualTimes) {
  const PlanetPath descent({{0, {46, 7}, 2e7}, {70, {46.5, 8}, 2}});
  for (int decade = 0; decade <= 7; ++decade) {
    EXPECT_NEAR(descent.At(10 * decade).height_m / (2e7 * std::pow(10, -decade)), 1, 1e-9);
  }
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const PlanetPath path(RandomPoints(seed));
    const double step = RandomPoints(seed)[1].seconds / 8;
    const double factor = path.At(step).height_m / path.At(0).height_m;
    for (int n = 1; n < 8; ++n) {
      EXPECT_NEAR(path.At((n + 1) * step).height_m / path.At(n * step).height_m / factor, 1, 1e-9);
    }
  }
}

TEST(PlanetPathTest, TheMinHeightIsATenthOfAMetre) {
  const PlanetPath path({{0, {0, 0}, 10}, {2, {0, 1}, 0}});
  EXPECT_NEAR(path.At(1).height_m, 1, 1e-9);
  EXPECT_NEAR(path.At(2).height_m, 0.1, 1e-12);
}

TEST(PlanetPathTest, StandsStillBeforeItsStartAndAfterItsEnd) {
  const PlanetPath path({{0, {10, 20}, 100}, {5, {11, 20}, 50}, {9, {11, 20}, 2}});
  EXPECT_EQ(path.At(-1).height_m, path.At(0).height_m);
  EXPECT_EQ(path.At(1'000).height_m, path.At(9).height_m);
  EXPECT_EQ(Length(path.At(1'000).up - path.At(9).up), 0);
  // Straight down, too.
  EXPECT_LT(Length(path.At(7).up - path.At(5).up), 1e-12);
  EXPECT_NEAR(path.At(7).height_m, 10, 1e-9);
}

TEST(PlanetPathTest, RecognisesOppositePlaces) {
  EXPECT_TRUE(AreOpposite({10, 20}, {-10, -160}));
  EXPECT_TRUE(AreOpposite({90, 3}, {-90, 77}));
  EXPECT_FALSE(AreOpposite({10, 20}, {-10, -160.01}));
  EXPECT_FALSE(AreOpposite({0, 0}, {0, 90}));
}

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

TEST(PathFileTest, ErrorsNameTheLineAndTheMistake) {
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
       "the position is opposite the last one on the planet: add a point between them"}};
  for (const Bad& line : lines) {
    EXPECT_EQ(PathErrorOf(two + line.third + "\n"), "descent.csv:3: " + line.error);
  }
}

TEST(PathFileTest, ErrorsNameAMistakeAtTheStart) {
  EXPECT_EQ(PathErrorOf("# late\n5,46,7,100\n"),
            "descent.csv:2: invalid seconds: expected 0 for the first point, got 5");
  EXPECT_EQ(PathErrorOf("seconds,latitude,longitude,height_m\n"),
            "descent.csv:1: invalid seconds: expected 0 to 86400, got seconds");
}

TEST(PathFileTest, NeedsTwoPoints) {
  EXPECT_EQ(PathErrorOf(""), "descent.csv: invalid path: expected 2 or more points, got 0");
  EXPECT_EQ(PathErrorOf("0,46,7,2"), "descent.csv: invalid path: expected 2 or more points, got 1");
}

TEST(PathFileTest, ErrorsQuoteOnlyTheStartOfBinaryData) {
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
