// `thalweg bake --format gpkg`, against a server in this process; GDAL's own tools read the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/client/bake_fixture.h"
#include "tests/client/shell.h"
#include "tests/client/told_terrain.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::Outcome;
using client_test::Shell;
using ::testing::HasSubstr;

// Level 3 of the fake worlds.
constexpr double kCellM = 64;
// A river flows south along x = 700, through the lake with its middle at (700, 200), into the sea.
constexpr int kRiver = 700;
constexpr int kLake = 200;
constexpr int kShore = 900;
constexpr int kLakeRadius = 20;
constexpr std::int32_t kLakeLevel = (kShore - kLake - kLakeRadius) << 16;

std::int32_t Valley(Layer layer, int /*level*/, std::int64_t x, std::int64_t y) {
  const auto aside = static_cast<std::int32_t>(std::abs(x - kRiver));
  const bool in_lake = std::hypot(x - kRiver, y - kLake) < kLakeRadius;
  // An island.
  const bool is_dry = std::hypot(x - kRiver - 8, y - kLake) < 3;
  std::int32_t height = static_cast<std::int32_t>(kShore - y) << 16;
  height += aside << 16;
  if (in_lake) height = is_dry ? kLakeLevel + 65536 : kLakeLevel - 5 * 65536;
  switch (layer) {
    case Layer::kFlow:
      return x == kRiver && y <= kShore ? 256 * static_cast<std::int32_t>(2000 + 10 * y) : 256;
    case Layer::kWaterLevel:
      return std::max({height, in_lake && !is_dry ? kLakeLevel : height, y > kShore ? 0 : height});
    default:
      return height;
  }
}

class BakeVectorsTest : public client_test::BakeFixture {
 protected:
  BakeVectorsTest() : BakeFixture("--world islands --level 3") {
    client_test::Tell(server_, Valley);
  }
  // The single number that a query returns.
  double Ask(const std::string& file, const std::string& query) const {
    const Outcome outcome =
        Shell("ogrinfo -ro -q -dialect sqlite -sql '" + query + "' " + Path(file));
    const std::size_t equals = outcome.text.find("= ");
    EXPECT_NE(equals, std::string::npos) << query << "\n" << outcome.text;
    return equals == std::string::npos ? std::nan("") : std::stod(outcome.text.substr(equals + 2));
  }
};

constexpr char kValleyRegion[] = " --x0 100 --y0 50 --width 1300 --height 1000 ";

TEST_F(BakeVectorsTest, ARiverRunsFromItsSourceThroughTheLakeToTheSea) {
  const Outcome outcome = Run(kValleyRegion + std::string("--out ") + Path("v.gpkg"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_FALSE(fs::exists(Path("v.gpkg.bake")));
  EXPECT_EQ(Ask("v.gpkg", "select count(*) from rivers"), 1);
  EXPECT_NEAR(Ask("v.gpkg", "select drained_km2 from rivers"),
              (2000 + 10 * kShore) * kCellM * kCellM / 1e6, 0.2);
  EXPECT_NEAR(Ask("v.gpkg", "select width_m*width_m / drained_km2 from rivers"), 81.0 / 100, 1e-6);
  EXPECT_NEAR(Ask("v.gpkg", "select height_from_m - height_to_m from rivers"), kShore - 51, 0);
  EXPECT_NEAR(Ask("v.gpkg", "select min(ST_MinX(geom)) from rivers"), kRiver * kCellM,
              (kLakeRadius + 2) * kCellM);
  EXPECT_NEAR(Ask("v.gpkg", "select ST_MinY(geom) from rivers"), -kShore * kCellM, 2 * kCellM);
  EXPECT_GT(Ask("v.gpkg", "select ST_NPoints(geom) from rivers"), 800);
  // The line begins near the region's northern border and ends at the sea's surface.
  const std::string line = Shell("ogrinfo -ro -q " + Path("v.gpkg") + " rivers").text;
  EXPECT_NE(line.find("LINESTRING Z (44800 -3264 849,"), std::string::npos);
  EXPECT_NE(line.find(",44800 -57664 0)"), std::string::npos);
  const Outcome info = Shell("ogrinfo " + Path("v.gpkg"));
  EXPECT_THAT(info.text, HasSubstr("world=islands"));
  EXPECT_THAT(info.text, HasSubstr("generator_version=3"));
  EXPECT_THAT(info.text, HasSubstr("x0=100"));
  EXPECT_THAT(info.text, HasSubstr("width=1300"));
}

TEST_F(BakeVectorsTest, LakesHaveIslandsAndTheSeaIsNotALake) {
  ASSERT_EQ(Run(kValleyRegion + std::string("--out ") + Path("v.gpkg")).code, 0);
  EXPECT_EQ(Ask("v.gpkg", "select count(*) from lakes"), 1);
  EXPECT_EQ(Ask("v.gpkg", "select level_m from lakes"), 680);
  EXPECT_EQ(Ask("v.gpkg", "select max_depth_m from lakes"), 5);
  const std::string lake = Shell("ogrinfo -ro -q " + Path("v.gpkg") + " lakes").text;
  EXPECT_NE(lake.find("),("), std::string::npos) << "no island: " << lake;
  EXPECT_EQ(lake.find("),("), lake.rfind("),(")) << lake;
  EXPECT_EQ(Ask("v.gpkg", "select ST_IsValid(geom) from lakes"), 1);
  EXPECT_EQ(Ask("v.gpkg", "select area_m2 - ST_Area(geom) from lakes"), 0);
  EXPECT_NEAR(Ask("v.gpkg", "select area_m2 from lakes"),
              3.14159 * (kLakeRadius * kLakeRadius - 9) * kCellM * kCellM, 2e5);
}

TEST_F(BakeVectorsTest, VectorsAreGeoreferenced) {
  ASSERT_EQ(Run(kValleyRegion + std::string("--crs EPSG:32632 --origin 600000,5200000 --out ") +
                Path("p.gpkg"))
                .code,
            0);
  EXPECT_THAT(Shell("ogrinfo -so " + Path("p.gpkg") + " rivers").text,
              HasSubstr("WGS 84 / UTM zone 32N"));
  EXPECT_NEAR(Ask("p.gpkg", "select ST_X(ST_EndPoint(geom)) from rivers"),
              600000 + (kRiver - 100) * kCellM, kCellM);
  EXPECT_NEAR(Ask("p.gpkg", "select ST_Y(ST_EndPoint(geom)) from rivers"),
              5200000 - (kShore - 50) * kCellM, 2 * kCellM);
}

TEST_F(BakeVectorsTest, ALargeMinAreaLeavesNoRivers) {
  ASSERT_EQ(Run(kValleyRegion + std::string("--min-drained-km2 1000 --out ") + Path("n.gpkg")).code,
            0);
  EXPECT_EQ(Ask("n.gpkg", "select count(*) from rivers"), 0);
  EXPECT_THAT(Shell("ogrinfo " + Path("n.gpkg")).text, HasSubstr("min_drained_km2=1000"));
}

TEST_F(BakeVectorsTest, BadInputIsNamed) {
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = Run(arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    return outcome.text;
  };
  const std::string out = "--out " + Path("e.gpkg") + " ";
  EXPECT_THAT(error(kValleyRegion + out + "--layer height"),
              HasSubstr("--layer can't be used with --format gpkg"));
  for (const char* bad : {"-1", "x", "nan", "inf"}) {
    EXPECT_THAT(error(kValleyRegion + out + "--min-drained-km2 " + bad),
                HasSubstr("--min-drained-km2: expected a number of 0 or above, got "));
  }
  EXPECT_THAT(error(kValleyRegion + out + "--range 1,2"),
              HasSubstr("--range can't be used with --format gpkg"));
  EXPECT_THAT(error(kValleyRegion + out + "--format cog --min-drained-km2 1"),
              HasSubstr("--min-drained-km2 needs --format gpkg"));
  EXPECT_THAT(error("--x0 0 --y0 0 --width 8194 --height 100 " + out),
              HasSubstr("expected max 8193 vertices on a side for gpkg, got 8194 x 100"));
  EXPECT_THAT(error(kValleyRegion + out + "--crs EPSG:4326 --origin 1,2"), HasSubstr("in degrees"));
  EXPECT_THAT(error(kValleyRegion + std::string("--out /nowhere/e.gpkg")),
              HasSubstr("/nowhere/e.gpkg"));
  EXPECT_TRUE(IsFolderEmpty()) << "something was left";
}

}  // namespace
}  // namespace thalweg
