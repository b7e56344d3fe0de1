#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "proto/geometry/cube_sphere.h"
#include "server/tile/height_sampling.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

using ::testing::HasSubstr;

// Ground that is smooth over the whole planet, in metres.
double PlanetGroundM(const sphere::Vector& point) {
  return 1'000 * point.x + 2'000 * point.y + 3'000 * point.z;
}

double PlanetGroundM(double latitude, double longitude) {
  return PlanetGroundM(sphere::PointOf(sphere::LatLong{latitude, longitude}));
}

// The contents of a tile of this ground.
TileContents PlanetTile(const wire::TileKey& key) {
  auto values = std::make_shared<field::TileValues>();
  auto& plane = values->planes.emplace_back();
  const double vertices = std::ldexp(wire::kTileCells, key.level);
  for (int row = 0; row < wire::kTileVertices; ++row) {
    for (int column = 0; column < wire::kTileVertices; ++column) {
      const auto part = [vertices](std::int64_t tile, int vertex) {
        return static_cast<double>(tile * wire::kTileCells + vertex) / vertices;
      };
      const sphere::FacePlace place{key.face, part(key.x, column), part(key.y, row)};
      plane.push_back(
          static_cast<std::int32_t>(std::lround(65'536 * PlanetGroundM(sphere::PointOf(place)))));
    }
  }
  return TileContents(std::shared_ptr<const field::TileValues>(std::move(values)));
}

v1::SampleHeightsRequest RequestAt(int level, const std::vector<sphere::LatLong>& points) {
  v1::SampleHeightsRequest request;
  request.set_level(static_cast<std::uint32_t>(level));
  for (const sphere::LatLong& point : points) {
    request.add_latitude_deg(point.latitude);
    request.add_longitude_deg(point.longitude);
  }
  return request;
}

std::vector<std::int32_t> SampleAll(const v1::SampleHeightsRequest& request) {
  const auto samples = HeightSamples::Parse(field::PlanetWorld(), request);
  EXPECT_TRUE(samples.ok()) << samples.status();
  if (!samples.ok()) return {};
  std::vector<std::int32_t> heights(samples->point_count());
  for (std::size_t n = 0; n < samples->tile_count(); ++n) {
    const TileContents contents = PlanetTile(samples->QueryOf(n).key);
    EXPECT_TRUE(samples->Sample(n, contents, heights).ok());
  }
  return heights;
}

TEST(HeightSamplesTest, FindPointsAnywhereOnAPlanet) {
  std::mt19937_64 random(20261123);
  std::uniform_real_distribution<double> latitude(-90, 90);
  std::uniform_real_distribution<double> longitude(-180, 180);
  std::vector<sphere::LatLong> points = {{90, 0},
                                         {90, 77},
                                         {-90, -180},
                                         {0, 180},
                                         {0, -180},
                                         {0, 45},
                                         {0, -135},
                                         {45, 0},
                                         {-45, 90},
                                         {0, 0},
                                         {35.264389682754654, 45},
                                         {-35.264389682754654, -135}};
  for (int n = 0; n < 60; ++n) points.push_back({latitude(random), longitude(random)});
  for (const int level : {0, 3, 10}) {
    const std::vector<std::int32_t> heights = SampleAll(RequestAt(level, points));
    ASSERT_EQ(heights.size(), points.size());
    // Interpolation over a cell may be wrong by about the cell's sagitta.
    const double cell = std::ldexp(1.0 / 160, -level);
    const double tolerance_m = 4'000 * cell * cell + 0.06 * cell * 4'000 / 1'000 + 0.001;
    for (std::size_t n = 0; n < points.size(); ++n) {
      EXPECT_NEAR(heights[n] / 65'536.0, PlanetGroundM(points[n].latitude, points[n].longitude),
                  tolerance_m)
          << points[n].latitude << " " << points[n].longitude << " at level " << level;
    }
  }
}

TEST(HeightSamplesTest, PolesAndTheDateLineAreOnePlaceEach) {
  const auto heights = SampleAll(RequestAt(8, {{90, 0}, {90, 123}, {17, 180}, {17, -180}}));
  ASSERT_EQ(heights.size(), 4U);
  EXPECT_EQ(heights[0], heights[1]);
  EXPECT_NEAR(heights[2], heights[3], 2);
}

TEST(HeightSamplesTest, NameCoordinatesOutsideAPlanet) {
  const auto error = [](double latitude, double longitude) {
    return HeightSamples::Parse(field::PlanetWorld(), RequestAt(3, {{latitude, longitude}}))
        .status();
  };
  for (const double latitude : {90.001, -91.0, 1e300}) {
    EXPECT_EQ(error(latitude, 0).code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(error(latitude, 0).message()),
                HasSubstr("invalid latitude_deg: expected -90 to 90, got "));
  }
  for (const double longitude : {180.001, -200.0}) {
    EXPECT_EQ(error(0, longitude).code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(error(0, longitude).message()),
                HasSubstr("invalid longitude_deg: expected -180 to 180, got "));
  }
  EXPECT_EQ(error(std::numeric_limits<double>::quiet_NaN(), 0).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(HeightSamples::Parse(field::PlanetWorld(3), RequestAt(3, {{0, 0}})).status().code(),
            absl::StatusCode::kOutOfRange);
  v1::SampleHeightsRequest uneven = RequestAt(0, {{0, 0}});
  uneven.add_latitude_deg(1);
  EXPECT_EQ(HeightSamples::Parse(field::PlanetWorld(), uneven).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(HeightSamplesTest, RefuseTheCoordinatesOfTheOtherKindOfWorld) {
  v1::SampleHeightsRequest metres;
  metres.add_east_m(1);
  metres.add_south_m(1);
  const absl::Status on_planet = HeightSamples::Parse(field::PlanetWorld(), metres).status();
  EXPECT_EQ(on_planet.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(on_planet.message(), "east_m is given, but the world is a planet (use latitude_deg)");
  EXPECT_TRUE(HeightSamples::Parse(field::TestWorld(), metres).ok());
  const absl::Status on_plane =
      HeightSamples::Parse(field::TestWorld(), RequestAt(0, {{1, 2}, {3, 4}})).status();
  EXPECT_EQ(on_plane.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(on_plane.message(), "latitude_deg is given, but the world is a plane (use east_m)");
}

TEST(HeightSamplesTest, CountPointsOfEitherKind) {
  const std::vector<sphere::LatLong> points(kMaxSamplePoints + 1, sphere::LatLong{1, 1});
  const absl::Status status =
      HeightSamples::Parse(field::PlanetWorld(), RequestAt(0, points)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("invalid points: expected max 8192 a call, got 8193"));
}

}  // namespace
}  // namespace thalweg::tile
