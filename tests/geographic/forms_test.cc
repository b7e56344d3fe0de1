// Small parts: normals in two bytes, masks, ellipsoids, pyramids.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "server/geographic/ellipsoid.h"
#include "server/geographic/mesh_grid.h"
#include "server/geographic/mesh_query.h"
#include "server/geographic/tiling.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"

namespace thalweg::geographic {
namespace {

// The normal that CesiumJS reads (AttributeCompression.octDecode).
sphere::Vector Unfolded(const std::array<std::uint8_t, 2>& bytes) {
  sphere::Vector out = {bytes[0] / 127.5 - 1, bytes[1] / 127.5 - 1, 0};
  out.z = 1 - std::abs(out.x) - std::abs(out.y);
  if (out.z < 0) {
    const double x = out.x;
    out.x = (1 - std::abs(out.y)) * (x < 0 ? -1 : 1);
    out.y = (1 - std::abs(x)) * (out.y < 0 ? -1 : 1);
  }
  return Unit(out);
}

TEST(OctahedralTest, DirectionsAreReadBackWithinADegree) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 10'000; ++n) {
    const sphere::Vector unit = sphere::Unit({normal(random), normal(random), normal(random)});
    EXPECT_GT(Dot(unit, Unfolded(OctahedralOf(unit))), std::cos(0.0175));
  }
}

TEST(EllipsoidTest, EarthSizedPlanetsUseWgs84) {
  EXPECT_EQ(EllipsoidOf(6'371'000), kWgs84);
  EXPECT_EQ(EllipsoidOf(6'330'000), kWgs84);
  EXPECT_EQ(EllipsoidOf(6'300'000), (Ellipsoid{6'300'000, 6'300'000}));
  EXPECT_EQ(EllipsoidOf(3'389'500), (Ellipsoid{3'389'500, 3'389'500}));
}

TEST(EllipsoidTest, PointsMatchGeodeticFormulas) {
  const sphere::Vector pole = PointAbove(kWgs84, AngleOf(90), AngleOf(0), 10);
  EXPECT_NEAR(pole.z, 6'356'752.3142 + 10, 1e-3);
  const sphere::Vector equator = PointAbove(kWgs84, AngleOf(0), AngleOf(90), 5);
  EXPECT_NEAR(equator.y, 6'378'142, 1e-6);
  // 45° N, 100 m, by the formulas of EPSG guidance note 7-2, 4.1.1.
  const sphere::Vector middle = PointAbove(kWgs84, AngleOf(45), AngleOf(0), 100);
  EXPECT_NEAR(middle.x, 4'517'661.5898, 1e-3);
  EXPECT_NEAR(middle.z, 4'487'419.1198, 1e-3);
}

TEST(TilingTest, CellsAreAtMostAsLargeAsTheSpacing) {
  for (const auto& [tiling, samples, first_m] : {std::tuple{Tiling::kGeographic, 64, 180.0},
                                                 {Tiling::kGeographic, 256, 180.0},
                                                 {Tiling::kMercator, 256, 360.0}}) {
    for (int zoom = 0; zoom <= 20; ++zoom) {
      const int level = LevelOf(tiling, samples, zoom);
      const double spacing = first_m / samples / std::exp2(zoom);
      EXPECT_LE(90.0 / 256 / std::exp2(level), level > 0 ? spacing : 90);
      if (level > 0) {
        EXPECT_GT(90.0 / 256 / std::exp2(level - 1), spacing);
      }
    }
    EXPECT_EQ(LevelOf(tiling, samples, MaxZoom(tiling, samples, 18)), 17);
  }
}

TEST(TilingTest, TilesOffThePyramidAreNotFound) {
  EXPECT_TRUE(CheckTile(Tiling::kGeographic, {3, 15, 7}, 5).ok());
  for (const GlobeTile& tile :
       {GlobeTile{6, 0, 0}, {-1, 0, 0}, {3, 16, 0}, {3, 0, 8}, {3, -1, 0}, {3, 0, -1}}) {
    EXPECT_TRUE(absl::IsNotFound(CheckTile(Tiling::kGeographic, tile, 5)));
  }
  EXPECT_TRUE(absl::IsNotFound(CheckTile(Tiling::kMercator, {3, 8, 0}, 5)));
}

TEST(TilingTest, PlanesAreRefused) {
  EXPECT_TRUE(CheckPlanet(*field::PlanetWorld()).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(CheckPlanet(*field::TestWorld())));
}

TEST(WaterMaskTest, UniformTilesHaveOneByte) {
  EXPECT_EQ(WaterMaskOf(std::vector<bool>(kMeshSide * kMeshSide, false)), std::string(1, '\0'));
  EXPECT_EQ(WaterMaskOf(std::vector<bool>(kMeshSide * kMeshSide, true)), "\xff");
}

TEST(WaterMaskTest, RowsBeginInTheNorth) {
  // The north-east is wet.
  std::vector<bool> wet(kMeshSide * kMeshSide);
  for (std::size_t n = 0; n < wet.size(); ++n) wet[n] = n % kMeshSide > 32 && n / kMeshSide > 48;
  const std::string mask = WaterMaskOf(wet);
  ASSERT_EQ(mask.size(), 65'536U);
  const auto at = [&](std::size_t x, std::size_t y) { return mask[256 * y + x]; };
  EXPECT_EQ(at(255, 0), '\xff');
  EXPECT_EQ(at(0, 0), '\0');
  EXPECT_EQ(at(255, 255), '\0');
  // A shore is halfway between a wet and a dry vertex.
  EXPECT_EQ(at(4 * 32 + 1, 0), '\0');
  EXPECT_EQ(at(4 * 32 + 2, 0), '\xff');
  EXPECT_EQ(at(255, 4 * 15 + 1), '\xff');
  EXPECT_EQ(at(255, 4 * 15 + 2), '\0');
}

}  // namespace
}  // namespace thalweg::geographic
