// `thalweg bake --format contours`, against a server in this process; GDAL reads the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/client/bake_fixture.h"
#include "tests/client/shell.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::Outcome;
using client_test::Shell;
using client_test::TerrainAt;
using ::testing::HasSubstr;

constexpr double kContourCellM = 64;
constexpr int kContourX0 = -700;
constexpr int kContourY0 = 900;
constexpr int kContourWidth = 120;
constexpr int kContourHeight = 90;

class BakeContoursTest : public client_test::BakeFixture {
 protected:
  BakeContoursTest()
      : BakeFixture("--world alpine --level 3 --x0 -700 --y0 900 --width 120 --height 90") {}
};

// The height between vertices of the level.
double HeightBetween(double x, double y) {
  const auto at = [&](int dx, int dy) {
    return TerrainAt(Layer::kHeight, 3, static_cast<std::int64_t>(std::floor(x)) + dx,
                     static_cast<std::int64_t>(std::floor(y)) + dy) /
           65536.0;
  };
  const double t = x - std::floor(x);
  return std::lerp(std::lerp(at(0, 0), at(1, 0), t), std::lerp(at(0, 1), at(1, 1), t),
                   y - std::floor(y));
}

TEST_F(BakeContoursTest, LinesLieAtTheirHeight) {
  const Outcome baked = Run("--interval 25 --out " + Path("c.geojson"));
  ASSERT_EQ(baked.code, 0) << baked.text;
  const Outcome csv = Shell("ogr2ogr -f CSV /vsistdout/ " + Path("c.geojson") +
                            " -lco GEOMETRY=AS_WKT -lco SEPARATOR=SEMICOLON");
  ASSERT_EQ(csv.code, 0) << csv.text.substr(0, 500);
  std::istringstream lines(csv.text);
  std::string line;
  std::getline(lines, line);
  EXPECT_THAT(line, HasSubstr("WKT;id;height_m"));
  int points = 0;
  while (std::getline(lines, line)) {
    const double height_m = std::stod(line.substr(line.rfind(';') + 1));
    ASSERT_EQ(std::fmod(height_m, 25), 0) << line.substr(0, 200);
    std::istringstream places(line.substr(line.find('(') + 1));
    for (double east = 0, north = 0; places >> east >> north; places.ignore(1)) {
      const double x = east / kContourCellM;
      const double y = -north / kContourCellM;
      // Half a cell beyond the outermost vertices GDAL leads lines straight on.
      const bool is_inside = x >= kContourX0 && x <= kContourX0 + kContourWidth - 1 &&
                             y >= kContourY0 && y <= kContourY0 + kContourHeight - 1;
      if (!is_inside) continue;
      ++points;
      ASSERT_NEAR(HeightBetween(x, y), height_m, 0.05) << x << ", " << y;
    }
  }
  EXPECT_GT(points, 1000);
}

TEST_F(BakeContoursTest, TheIntervalFollowsTheRelief) {
  ASSERT_EQ(Run("--format contours --out " + Path("a.json")).code, 0);
  const Outcome all = Shell(
      "ogrinfo -q -dialect SQLite -sql 'SELECT count(DISTINCT height_m) AS lines FROM contours' " +
      Path("a.json"));
  const std::size_t at = all.text.find("lines (Integer) = ");
  ASSERT_NE(at, std::string::npos) << all.text;
  const int heights = std::stoi(all.text.substr(at + 18));
  EXPECT_GE(heights, 7);
  EXPECT_LE(heights, 21);
  EXPECT_FALSE(fs::exists(Path("a.json.bake")));
  std::ifstream sidecar(Path("a.json.json"));
  const std::string text(std::istreambuf_iterator<char>(sidecar), {});
  EXPECT_THAT(text, HasSubstr("\"interval_m\":"));
  EXPECT_THAT(text, HasSubstr("\"specification\":"));
}

TEST_F(BakeContoursTest, WorldsOnTheEarthAreInDegrees) {
  ASSERT_EQ(
      Run("--interval 100 --crs EPSG:32632 --origin 600000,5200000 --out " + Path("e.geojson"))
          .code,
      0);
  const std::string text = Shell("ogrinfo -so -al " + Path("e.geojson")).text;
  EXPECT_THAT(text, HasSubstr("WGS 84"));
  EXPECT_THAT(text, HasSubstr("Extent: (10.3"));
}

TEST_F(BakeContoursTest, VectorTilesMatchTheMapsTiles) {
  ASSERT_EQ(Run("--format contour-tiles --interval 50 --out " + Path("t.mbtiles")).code, 0);
  const std::string text = Shell("ogrinfo -so " + Path("t.mbtiles") + " contours").text;
  EXPECT_THAT(text, HasSubstr("minzoom=3"));
  EXPECT_THAT(text, HasSubstr("maxzoom=7"));
  EXPECT_THAT(text, HasSubstr("name=alpine"));
  // The window is 16 tiles of level 0, of 256 * 512 m, around the origin.
  const double scale = 40'075'016.6856 / (16 * 256 * 512);
  const std::size_t at = text.find("Extent: (");
  ASSERT_NE(at, std::string::npos) << text.substr(0, 1000);
  EXPECT_NEAR(std::stod(text.substr(at + 9)), kContourX0 * kContourCellM * scale,
              2 * kContourCellM * scale);
}

TEST_F(BakeContoursTest, BadInputIsNamed) {
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = Run(arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    return outcome.text;
  };
  const std::string out = " --out " + Path("b.geojson");
  EXPECT_THAT(error("--interval 0" + out), HasSubstr("--interval: expected 0.01 m or more"));
  EXPECT_THAT(error("--interval -5" + out), HasSubstr("--interval"));
  EXPECT_THAT(error("--layer flow" + out), HasSubstr("--layer"));
  EXPECT_THAT(error("--interval 5 --out " + Path("b.tif")),
              HasSubstr("--interval needs --format contours"));
  EXPECT_THAT(error("--interval 100 --out " + Path("nowhere/b.geojson")), HasSubstr("nowhere"));
  EXPECT_TRUE(IsFolderEmpty());
}

// GDAL's vector tiles have zooms to 22, and parts of another layer have no heights.
TEST_F(BakeContoursTest, ImpossibleContoursAreRefusedBeforeTheWork) {
  const std::string bake = std::string(THALWEG) + " bake --server " + server_.address() +
                           " --world alpine --x0 0 --y0 0 --width 64 --height 64 ";
  const Outcome fine =
      Shell(bake + "--level 7 --window 16,0,0 --format contour-tiles --out " + Path("f.mbtiles"));
  EXPECT_NE(fine.code, 0);
  EXPECT_THAT(fine.text, HasSubstr("--level: expected one of zoom 22 or below for contour-tiles, "
                                   "got 7, which is zoom 23"));
  ASSERT_EQ(Shell(bake + "--level 3 --layer flow --keep-parts --out " + Path("w.i32")).code, 0);
  const Outcome flow = Shell(std::string(THALWEG) + " bake --from " + Path("w.i32.bake") +
                             " --out " + Path("w.geojson"));
  EXPECT_NE(flow.code, 0);
  EXPECT_THAT(flow.text, HasSubstr("expected parts of --layer height for this format, got flow"));
  EXPECT_FALSE(fs::exists(Path("w.geojson")));
}

}  // namespace
}  // namespace thalweg
