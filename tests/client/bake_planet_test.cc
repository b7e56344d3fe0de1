// `thalweg bake` of a planet, against a server in this process. GDAL must be installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/tools/globe/globe.h"
#include "proto/bake/planet_area.h"
#include "tests/client/fake_server.h"
#include "tests/client/shell.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::FakeServer;
using client_test::Outcome;
using client_test::PlanetTerrainAt;
using client_test::Shell;
using ::testing::HasSubstr;

// Between vertices of level 0, the fake planet's terrain differs from a line by at most a metre.
constexpr double kStraight = 65'536;

class BakePlanetTest : public testing::Test {
 protected:
  BakePlanetTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-bake-planet-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~BakePlanetTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome Run(const std::string& arguments, const std::string& world = "planet") const {
    return Shell(THALWEG " bake --world " + world + " --server " + server_.address() + " " +
                 arguments);
  }
  std::vector<std::int32_t> Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<std::int32_t> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), values.size() * 4);
    return values;
  }
  // How many values differ from the terrain at their place by more than kStraight.
  int WrongValues(const std::string& name, const bake::Area& area) const {
    const auto values = Read(name);
    const auto points = bake::PointsOf(area);
    if (values.size() != points.size()) return -1;
    int wrong = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
      const sphere::Vector& p = points[n];
      const double length = std::hypot(p.x, p.y, p.z);
      const double ground =
          PlanetTerrainAt(Layer::kHeight, {p.x / length, p.y / length, p.z / length});
      wrong += std::abs(values[n] - ground) <= kStraight ? 0 : 1;
    }
    return wrong;
  }

  FakeServer server_;
  fs::path folder_;
};

TEST_F(BakePlanetTest, TheWholePlanetIsTheTerrain) {
  const Outcome outcome = Run("--level 0 --whole equirectangular --out " + Path("w.i32"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const bake::Area whole = *bake::AreaOfRegion(0, {});
  EXPECT_EQ(WrongValues("w.i32", whole), 0);
  EXPECT_FALSE(fs::exists(Path("w.i32.bake")));
  // The twin: shifted by a pixel, most values are wrong.
  bake::Area moved = whole;
  moved.x0 = 1;
  EXPECT_GT(WrongValues("w.i32", moved), 1'000);
}

TEST_F(BakePlanetTest, RegionsAreCutFromTheWholePlanet) {
  ASSERT_EQ(Run("--level 1 --whole equirectangular --out " + Path("w.i32")).code, 0);
  const auto whole = Read("w.i32");
  constexpr std::int64_t kColumns = 2048;
  // Regions inside the map, across the date line and around the poles.
  for (const auto& box :
       {bake::LatLongBox{-13, 20, 61, 55}, bake::LatLongBox{150, -40, -160, 40},
        bake::LatLongBox{-180, 70, 180, 90}, bake::LatLongBox{90, -90, 80, -85}}) {
    const std::string region =
        absl::StrCat(box.west, ",", box.south, ",", box.east, ",", box.north);
    SCOPED_TRACE(region);
    const Outcome outcome = Run("--level 1 --region=" + region + " --out " + Path("r.i32"));
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    const auto values = Read("r.i32");
    const bake::Area area = *bake::AreaOfRegion(1, box);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(area.width * area.height));
    std::size_t n = 0;
    int wrong = 0;
    for (std::int64_t y = area.y0; y < area.y0 + area.height; ++y) {
      for (std::int64_t x = area.x0; x < area.x0 + area.width; ++x, ++n) {
        wrong += values[n] == whole[static_cast<std::size_t>(y * kColumns + x % kColumns)] ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST_F(BakePlanetTest, CubeMapsAreSixFilesOfTheTerrain) {
  const Outcome outcome = Run("--level 0 --whole cube --out " + Path("c.i32"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  for (int face = 0; face < 6; ++face) {
    const std::string name =
        "c-" + std::string(bake::kCubeFaceNames[static_cast<std::size_t>(face)]) + ".i32";
    EXPECT_EQ(WrongValues(name, bake::AreaOfCubeFace(0, face)), 0) << name;
    EXPECT_NE(WrongValues(name, bake::AreaOfCubeFace(0, (face + 1) % 6)), 0) << name;
  }
}

TEST_F(BakePlanetTest, FacesIncludeTheirLastVertices) {
  constexpr int kFaceSide = 1025;
  for (const int face : {0, 3, 5}) {
    const Outcome outcome = Run("--level 2 --x0 0 --y0 0 --width 1025 --height 1025 --out " +
                                Path("f.i32") + " --face " + std::to_string(face));
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    const auto values = Read("f.i32");
    ASSERT_EQ(values.size(), std::size_t{kFaceSide} * kFaceSide);
    int wrong = 0;
    std::size_t n = 0;
    for (int y = 0; y < kFaceSide; ++y) {
      for (int x = 0; x < kFaceSide; ++x) {
        wrong += values[n++] == PlanetTerrainAt(Layer::kHeight, 2, face, x, y) ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST_F(BakePlanetTest, ShardsAndFromMakeTheSameFile) {
  const std::string bake = "--level 2 --region 160,-80,-60,85 --keep-parts --out ";
  ASSERT_EQ(Run(bake + Path("a.i32")).code, 0);
  for (const char* shard : {"0", "1"}) {
    EXPECT_EQ(Run(bake + Path("b.i32") + " --shards 2 --shard " + shard).code, 0);
  }
  ASSERT_EQ(Run(bake + Path("b.i32") + " --shards 2 --merge").code, 0);
  EXPECT_TRUE(Read("a.i32") == Read("b.i32"));
  const Outcome from =
      Shell(THALWEG " bake --from " + Path("a.i32.bake") + " --out " + Path("c.i32"));
  ASSERT_EQ(from.code, 0) << from.text;
  EXPECT_TRUE(Read("a.i32") == Read("c.i32"));
  EXPECT_EQ(Run(bake + Path("a.i32") + " --verify 3").code, 0);
  // The same size at another place is another bake.
  const Outcome other = Run("--level 2 --region 159,-80,-61,85 --out " + Path("a.i32"));
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.text, HasSubstr("has parts of another bake"));
}

// GDAL's own tools read the written file.
TEST_F(BakePlanetTest, GeotiffsHaveDegreesOnTheirOwnSphere) {
  ASSERT_EQ(Run("--level 0 --region=-20,30,40,70 --out " + Path("m.tif")).code, 0);
  const Outcome info = Shell("gdalinfo " + Path("m.tif"));
  EXPECT_THAT(info.text, HasSubstr("GEOGCRS[\"Latitude and longitude on planet\""));
  EXPECT_THAT(info.text, HasSubstr("1737400,0"));
  EXPECT_THAT(info.text, HasSubstr("Pixel Size = (0.351562500000000,-0.351562500000000)"));
  const Outcome at = Shell("gdallocationinfo -valonly -geoloc " + Path("m.tif") + " 10.01 50.01");
  const double ground =
      PlanetTerrainAt(Layer::kHeight, sphere::PointOf(sphere::LatLong{50.01, 10.01})) / 65536.0;
  // The pixel's centre is up to half a pixel away, where the ground differs by some metres.
  EXPECT_NEAR(std::stod(at.text), ground, 60);
}

TEST_F(BakePlanetTest, AnEarthSizedPlanetUsesTheEarthsSystem) {
  server_.lies.world = [](v1::World& world) {
    constexpr double kRadiusM = 6'371'000;
    world.mutable_spec()->mutable_sphere()->set_radius_m(kRadiusM);
    world.mutable_spec()->set_cell_size_m(kRadiusM * 3.14159265358979323846 / 2 / 256);
  };
  ASSERT_EQ(Run("--level 0 --region=-20,30,40,70 --format geotiff --out " + Path("e.tif")).code, 0);
  EXPECT_THAT(Shell("gdalinfo " + Path("e.tif")).text, HasSubstr("ID[\"EPSG\",4326]"));
}

TEST_F(BakePlanetTest, PlanesAndPlanetsRefuseEachOthersOptions) {
  const std::string out = " --out " + Path("x.tif");
  const std::string square = " --level 1 --x0 0 --y0 0 --width 9 --height 9";
  const auto says = [&](const std::string& arguments, const std::string& text,
                        const std::string& world = "planet") {
    const Outcome outcome = Run(arguments + out, world);
    EXPECT_NE(outcome.code, 0) << arguments;
    EXPECT_THAT(outcome.text, HasSubstr(text)) << arguments;
  };
  says(square, "--face is missing: expected 0 to 5 with --x0");
  says(square + " --face 6", "--face");
  says(square + " --face 1 --format glb",
       "invalid --format: expected a format for planets, not gpkg, contours, mbtiles, pmtiles or "
       "glb");
  says(square + " --face 1 --crs EPSG:32632 --origin 0,0",
       "--crs is given, but world 'planet' is a planet");
  says(" --level 1 --bounds=0,0,9000,9000",
       "--bounds is given, but world 'planet' is a planet: use --region");
  says(" --level 1 --region 0,0,10,95", "invalid north: expected -90° to 90°");
  says(" --level 1 --region 0,0,10,10 --layer normal",
       "expected one that does not follow the axes of a face");
  says(" --level 11 --whole equirectangular", "invalid --level: expected 0 to 10");
  says(" --level 1 --whole cube --format png16", "--range");
  says(" --level 1 --region 0,0,10,10 --overviews levels", "--overviews");
  says(" --level 1 --region 0,0,10,10 --tile 9", "--region can't be used with --tile");
  says(square + " --face 0", "--face is given, but world 'alpine' is a plane", "alpine");
  says(" --level 1 --region 0,0,10,10",
       "--region is given, but world 'alpine' is a plane: use --bounds", "alpine");
  says(" --level 1 --whole cube", "--whole is given, but world 'alpine' is a plane", "alpine");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST(RectanglesOfTest, ContainEachTileOnce) {
  const std::vector<TileKey> keys = {{2, 1, 0, 3}, {2, 2, 0, 3}, {2, 1, 1, 3}, {2, 2, 1, 3},
                                     {2, 3, 1, 3}, {2, 0, 2, 3}, {2, 2, 2, 3}, {2, 2, 2, 4}};
  const auto rectangles = globe::RectanglesOf(keys);
  std::vector<TileKey> again;
  for (const TileRectangle& rectangle : rectangles) {
    for (std::int64_t y = 0; y < rectangle.rows; ++y) {
      for (std::int64_t x = 0; x < rectangle.columns; ++x) {
        TileKey key = rectangle.first;
        key.x += x;
        key.y += y;
        again.push_back(key);
      }
    }
  }
  EXPECT_EQ(again, keys);
  EXPECT_EQ(rectangles.size(), 5U);
  EXPECT_EQ(globe::RectanglesOf(std::vector<TileKey>{{2, 1, 0, 3}, {2, 1, 1, 3}}).size(), 1U);
}

}  // namespace
}  // namespace thalweg
