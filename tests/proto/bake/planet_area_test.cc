#include "proto/bake/planet_area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace thalweg::bake {
namespace {

using ::testing::HasSubstr;

double Wrapped(double longitude) { return std::remainder(longitude, 360.0); }

TEST(PlanetAreaTest, TheWholePlanetIsTwiceAsWideAsHigh) {
  for (int level = 0; level <= 10; ++level) {
    const auto area = AreaOfRegion(level, {});
    ASSERT_TRUE(area.ok());
    EXPECT_EQ(*area, (Area{level, 0, 0, std::int64_t{1024} << level, std::int64_t{512} << level,
                           GridKind::kLatLong}));
    EXPECT_TRUE(CheckPlanetArea(*area).ok());
  }
  EXPECT_EQ(CheckPlanetArea(*AreaOfRegion(11, {})).code(), absl::StatusCode::kInvalidArgument);
}

// A region has exactly the pixels whose middles are inside it.
TEST(PlanetAreaTest, RegionsContainTheCentresOfTheirPixels) {
  constexpr std::uint64_t kSeed = 31;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  const auto degrees = [&](double most) {
    return (static_cast<double>(random() % 20'001) / 10'000 - 1) * most;
  };
  int across = 0;
  for (int n = 0; n < 300; ++n) {
    const int level = static_cast<int>(random() % 2);
    LatLongBox region{degrees(180), degrees(90), degrees(180), degrees(90)};
    if (region.south > region.north) std::swap(region.south, region.north);
    if (region.north - region.south < 1 || std::abs(region.west - region.east) < 1) continue;
    across += region.west > region.east ? 1 : 0;
    const auto area = AreaOfRegion(level, region);
    ASSERT_TRUE(area.ok()) << area.status();
    ASSERT_TRUE(CheckPlanetArea(*area).ok());
    const double width = region.east - region.west + (region.west > region.east ? 360 : 0);
    const double step = DegreesPerPixel(level);
    EXPECT_NEAR(static_cast<double>(area->width) * step, width, step);
    EXPECT_NEAR(static_cast<double>(area->height) * step, region.north - region.south, step);
    const auto points = PointsOf(*area);
    ASSERT_EQ(points.size(), static_cast<std::size_t>(area->width * area->height));
    for (const sphere::Vector& point : {points.front(), points.back()}) {
      const sphere::LatLong place = sphere::LatLongOf(point);
      EXPECT_GE(place.latitude, region.south - 1e-9);
      EXPECT_LE(place.latitude, region.north + 1e-9);
      const double past = Wrapped(place.longitude - region.west - width / 2);
      EXPECT_LE(std::abs(past), width / 2 + 1e-9);
    }
  }
  EXPECT_GT(across, 50);
}

TEST(PlanetAreaTest, AdjacentRegionsShareNoPixel) {
  const auto west = AreaOfRegion(3, {10, -20, 33.3, 40});
  const auto east = AreaOfRegion(3, {33.3, -20, 71, 40});
  ASSERT_TRUE(west.ok() && east.ok());
  EXPECT_EQ(west->x0 + west->width, east->x0);
  // The date line: 180 degrees is the same as -180.
  const auto end = AreaOfRegion(3, {170, -20, 180, 40});
  const auto crossing = AreaOfRegion(3, {170, -20, -170, 40});
  const auto begin = AreaOfRegion(3, {180, -20, -170, 40});
  ASSERT_TRUE(end.ok() && crossing.ok() && begin.ok());
  EXPECT_EQ(begin->x0, 0);
  EXPECT_EQ(end->width + begin->width, crossing->width);
}

TEST(PlanetAreaTest, RefusesInvalidRegions) {
  EXPECT_THAT(AreaOfRegion(0, {-181, 0, 10, 10}).status().message(),
              HasSubstr("invalid west: expected -180° to 180°, got -181°"));
  EXPECT_THAT(AreaOfRegion(0, {0, 0, 10, 90.5}).status().message(), HasSubstr("invalid north"));
  EXPECT_THAT(AreaOfRegion(0, {0, 10, 10, 10}).status().message(),
              HasSubstr("expected a south edge below the north edge"));
  EXPECT_THAT(AreaOfRegion(0, {0, 0, 0.1, 0.1}).status().message(),
              HasSubstr("no pixel has its middle in the region"));
  EXPECT_FALSE(AreaOfRegion(0, {std::nan(""), 0, 10, 10}).ok());
}

TEST(PlanetAreaTest, AreasEndAtTheEdgeOfThePlanet) {
  const auto code = [](const Area& area) { return CheckPlanetArea(area).code(); };
  constexpr auto kOk = absl::StatusCode::kOk;
  constexpr auto kOutOfRange = absl::StatusCode::kOutOfRange;
  EXPECT_EQ(code({1, 0, 0, 513, 513, GridKind::kVertices, 5}), kOk);
  EXPECT_EQ(code({1, 1, 0, 513, 513, GridKind::kVertices, 5}), kOutOfRange);
  EXPECT_EQ(code({1, 0, -1, 5, 5, GridKind::kVertices, 5}), kOutOfRange);
  EXPECT_EQ(code({1, 0, 0, 5, 5, GridKind::kVertices, 6}), kOutOfRange);
  EXPECT_EQ(code({1, 0, 0, 512, 512, GridKind::kCubeMap, 5}), kOk);
  EXPECT_EQ(code({1, 0, 0, 513, 512, GridKind::kCubeMap, 5}), kOutOfRange);
  EXPECT_EQ(code({1, 2047, 0, 2048, 1, GridKind::kLatLong}), kOk);
  EXPECT_EQ(code({1, 2048, 0, 1, 1, GridKind::kLatLong}), kOutOfRange);
  EXPECT_EQ(code({1, 0, 0, 2049, 1, GridKind::kLatLong}), kOutOfRange);
  EXPECT_EQ(code({1, 0, 1000, 5, 25, GridKind::kLatLong}), kOutOfRange);
}

// The face and coordinates of a direction, in the cube map's axes (OpenGL 4.6, table 8.19).
void Look(double x, double y, double z, int& face, double& s, double& t) {
  const double ax = std::abs(x);
  const double ay = std::abs(y);
  const double az = std::abs(z);
  double sc = 0;
  double tc = 0;
  double ma = 0;
  if (ax >= ay && ax >= az) {
    face = x > 0 ? 0 : 1;
    sc = x > 0 ? -z : z;
    tc = -y;
    ma = ax;
  } else if (ay >= az) {
    face = y > 0 ? 2 : 3;
    sc = x;
    tc = y > 0 ? z : -z;
    ma = ay;
  } else {
    face = z > 0 ? 4 : 5;
    sc = z > 0 ? x : -x;
    tc = -y;
    ma = az;
  }
  s = (sc / ma + 1) / 2;
  t = (tc / ma + 1) / 2;
}

TEST(PlanetAreaTest, CubeMapsFollowOpenGl) {
  const int level = 0;
  for (int face = 0; face < sphere::kFaces; ++face) {
    const Area area = AreaOfCubeFace(level, face);
    const auto points = PointsOf(area);
    for (std::size_t n = 0; n < points.size(); n += 97) {
      const sphere::Vector& p = points[n];
      int looked_up = -1;
      double s = 0;
      double t = 0;
      // y points to the north pole, z to longitude -90°.
      Look(p.x, p.z, -p.y, looked_up, s, t);
      EXPECT_EQ(looked_up, face);
      const std::size_t column = n % 256;
      const std::size_t row = n / 256;
      EXPECT_NEAR(s * 256 - 0.5, static_cast<double>(column), 1e-9);
      EXPECT_NEAR(t * 256 - 0.5, static_cast<double>(row), 1e-9);
    }
  }
}

}  // namespace
}  // namespace thalweg::bake
