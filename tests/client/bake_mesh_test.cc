// `thalweg bake --format glb`, against a server in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/client/bake_fixture.h"
#include "tests/client/glb_reader.h"
#include "tests/client/shell.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::GlbMesh;
using client_test::NumberAfter;
using client_test::Outcome;
using client_test::TerrainAt;
using ::testing::HasSubstr;

constexpr char kMeshRegion[] = " --x0 -700 --y0 900 --width 401 --height 300 ";

class BakeMeshTest : public client_test::BakeFixture {
 protected:
  BakeMeshTest() : BakeFixture("--world islands --level 3") {}
  GlbMesh Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return client_test::ReadGlb(std::string((std::istreambuf_iterator<char>(file)), {}));
  }
};

TEST_F(BakeMeshTest, VerticesAreThoseOfTheWorld) {
  const Outcome outcome = Run(kMeshRegion + std::string("--mesh-error-m 5 --out ") + Path("m.glb"));
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_FALSE(fs::exists(Path("m.glb.bake")));
  const GlbMesh mesh = Read("m.glb");
  EXPECT_LE(NumberAfter(mesh.json, "error_m"), 5);
  EXPECT_GT(NumberAfter(mesh.json, "error_m"), 0);
  EXPECT_THAT(mesh.json, HasSubstr("\"world\":\"islands\""));
  const double east_m = NumberAfter(mesh.json, "origin_east_m");
  const double south_m = NumberAfter(mesh.json, "origin_south_m");
  const double up_m = NumberAfter(mesh.json, "origin_up_m");
  EXPECT_EQ(east_m, -500 * 64.0);
  EXPECT_EQ(south_m, 1049.5 * 64.0);
  int border = 0;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const auto& [east, up, south] = mesh.positions[i];
    const std::int64_t x = std::llround((east_m + static_cast<double>(east)) / 64);
    const std::int64_t y = std::llround((south_m + static_cast<double>(south)) / 64);
    ASSERT_NEAR(up_m + static_cast<double>(up), TerrainAt(Layer::kHeight, 3, x, y) / 65536.0, 1e-3);
    const auto& normal = mesh.normals[i];
    ASSERT_NEAR(std::hypot(normal[0], normal[1], normal[2]), 1, 1e-5);
    // The middle of the vertex's pixel.
    ASSERT_NEAR(mesh.uvs[i][0] * 401, static_cast<double>(x) + 700 + 0.5, 1e-3);
    ASSERT_NEAR(mesh.uvs[i][1] * 300, static_cast<double>(y) - 900 + 0.5, 1e-3);
    border += x == -700 || x == -300 || y == 900 || y == 1199 ? 1 : 0;
  }
  EXPECT_EQ(border, 2 * (401 + 300) - 4);
  EXPECT_LT(mesh.positions.size(), 401U * 300U / 2);
}

TEST_F(BakeMeshTest, HasAPictureOfTheGround) {
  ASSERT_EQ(Run(kMeshRegion + std::string("--out ") + Path("s.glb")).code, 0);
  const GlbMesh mesh = Read("s.glb");
  ASSERT_GT(mesh.png.size(), 1000U);
  EXPECT_EQ(mesh.png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(mesh.png.substr(16, 8), std::string("\0\0\x01\x91\0\0\x01\x2c", 8));
  EXPECT_THAT(mesh.json, HasSubstr("\"baseColorTexture\":{\"index\":0}"));
  ASSERT_EQ(Run(kMeshRegion + std::string("--texture none --out ") + Path("g.glb")).code, 0);
  const GlbMesh grey = Read("g.glb");
  EXPECT_EQ(grey.png, "");
  EXPECT_EQ(grey.positions, mesh.positions);
  EXPECT_THAT(grey.json, HasSubstr("\"baseColorFactor\""));
  EXPECT_EQ(Run(kMeshRegion + std::string("--texture none --out ") + Path("g.tif")).code, 2);
}

TEST_F(BakeMeshTest, RecordsWhereOnTheEarthItsMiddleIs) {
  ASSERT_EQ(Run(kMeshRegion + std::string("--crs EPSG:32632 --origin 600000,5200000 --out ") +
                Path("p.glb"))
                .code,
            0);
  const GlbMesh mesh = Read("p.glb");
  EXPECT_THAT(mesh.json, HasSubstr("\"crs\":\"EPSG:32632\""));
  EXPECT_EQ(NumberAfter(mesh.json, "crs_east"), 600000 + 200 * 64.0);
  EXPECT_EQ(NumberAfter(mesh.json, "crs_north"), 5200000 - 149.5 * 64.0);
}

TEST_F(BakeMeshTest, BadInputIsNamed) {
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = Run(arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    return outcome.text;
  };
  const std::string out = "--out " + Path("e.glb") + " ";
  EXPECT_THAT(error("--x0 0 --y0 0 --width 2050 --height 9 " + out),
              HasSubstr("expected 2 to 2049 vertices on a side for glb, got 2050 x 9"));
  EXPECT_THAT(error("--x0 0 --y0 0 --width 1 --height 9 " + out), HasSubstr("invalid size"));
  EXPECT_THAT(error(kMeshRegion + out + "--layer height"),
              HasSubstr("--layer can't be used with --format glb"));
  EXPECT_THAT(error(kMeshRegion + out + "--mesh-error-m -1"),
              HasSubstr("expected a number of 0 or above, got -1"));
  EXPECT_THAT(error(kMeshRegion + out + "--format cog --mesh-error-m 1"),
              HasSubstr("--mesh-error-m needs --format glb"));
  EXPECT_THAT(error(kMeshRegion + out + "--crs EPSG:4326 --origin 1,2"), HasSubstr("in degrees"));
  EXPECT_THAT(error(kMeshRegion + std::string("--out /nowhere/e.glb")),
              HasSubstr("/nowhere/e.glb"));
  EXPECT_TRUE(IsFolderEmpty()) << "something was left";
}

}  // namespace
}  // namespace thalweg
