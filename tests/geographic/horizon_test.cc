#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "server/geographic/ellipsoid.h"

namespace thalweg::geographic {
namespace {

// Whether the ellipsoid does not hide a point from a camera: CesiumJS's test
// (EllipsoidalOccluder.isScaledSpacePointVisible). Both are scaled by the ellipsoid's semi-axes.
bool Sees(const sphere::Vector& camera, const sphere::Vector& point) {
  const double limb = Dot(camera, camera) - 1;
  const sphere::Vector to = point - camera;
  const double along = -Dot(to, camera);
  const bool hidden = limb < 0 ? along > 0 : along > limb && along * along / Dot(to, to) > limb;
  return !hidden;
}

sphere::Vector ScaledBy(const Ellipsoid& ellipsoid, double lower_m, const sphere::Vector& point) {
  const double across = ellipsoid.equatorial_m + lower_m;
  return {point.x / across, point.y / across, point.z / (ellipsoid.polar_m + lower_m)};
}

struct Patch {
  std::vector<sphere::Vector> points;
  double min_m = 0;
};

Patch RandomPatch(std::mt19937& random, const Ellipsoid& ellipsoid, double degrees) {
  const auto between = [&](double least, double most) {
    return std::uniform_real_distribution(least, most)(random);
  };
  const double latitude = between(-90, 90 - degrees);
  const double longitude = between(-180, 180);
  const double base_m = between(-9'000, 3'000);
  Patch patch;
  for (int n = 0; n < 60; ++n) {
    const double height_m = base_m + between(0, 5'000);
    patch.min_m = n == 0 ? height_m : std::min(patch.min_m, height_m);
    patch.points.push_back(PointAbove(ellipsoid, AngleOf(latitude + between(0, degrees)),
                                      AngleOf(longitude + between(0, degrees)), height_m));
  }
  return patch;
}

struct Tally {
  int hidden_points = 0;
  int wrong = 0;
};

// How often random cameras do not see the horizon point, and how often such a camera sees a vertex.
// `raised` moves the point outward by this factor.
Tally TallyOf(double raised) {
  Tally tally;
  std::mt19937 random(3);
  for (int n = 0; n < 400; ++n) {
    const Ellipsoid ellipsoid = n % 2 == 0 ? kWgs84 : Ellipsoid{1'737'400, 1'737'400};
    const double degrees = n % 3 == 0 ? 45 : 2;
    const Patch patch = RandomPatch(random, ellipsoid, degrees);
    const sphere::Vector center = BoundingSphereOf(patch.points).center;
    const sphere::Vector horizon =
        raised * HorizonPointOf(patch.points, ellipsoid, center, patch.min_m);
    const double lower_m = std::min(patch.min_m, 0.0);
    for (int k = 0; k < 200; ++k) {
      std::normal_distribution<double> normal;
      const double altitude = std::exp2(std::uniform_real_distribution(-9.0, 5.0)(random));
      const sphere::Vector from = ellipsoid.equatorial_m * (1.003 + altitude) *
                                  sphere::Unit({normal(random), normal(random), normal(random)});
      // Like CesiumJS, lowers the ellipsoid to the lowest ground.
      const sphere::Vector camera = ScaledBy(ellipsoid, lower_m, from);
      if (Sees(camera, horizon)) continue;
      ++tally.hidden_points;
      for (const sphere::Vector& point : patch.points) {
        if (Sees(camera, ScaledBy(ellipsoid, lower_m, point))) {
          ++tally.wrong;
          break;
        }
      }
    }
  }
  return tally;
}

TEST(HorizonTest, AHiddenTileHasNoVisibleVertex) {
  const Tally tally = TallyOf(1);
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_GT(tally.hidden_points, 10'000);
}

// The twin: a point that is too low is found.
TEST(HorizonTest, APointTooLowWouldHideVisibleTiles) { EXPECT_GT(TallyOf(0.99).wrong, 0); }

TEST(HorizonTest, HalfAGlobeIsNeverHidden) {
  std::vector<sphere::Vector> points;
  for (int latitude = -90; latitude <= 90; latitude += 5) {
    for (int longitude = 0; longitude <= 180; longitude += 5) {
      points.push_back(PointAbove(kWgs84, AngleOf(latitude), AngleOf(longitude), 0));
    }
  }
  const sphere::Vector horizon = HorizonPointOf(points, kWgs84, BoundingSphereOf(points).center, 0);
  EXPECT_TRUE(std::isnan(horizon.x));
  for (const double distance : {1.001, 2.0, 1'000.0}) {
    EXPECT_TRUE(Sees({0, -distance, 0}, horizon));
  }
}

TEST(HorizonTest, TheBoundingSphereContainsAllPoints) {
  std::mt19937 random(4);
  const Patch patch = RandomPatch(random, kWgs84, 30);
  const BoundingSphere sphere = BoundingSphereOf(patch.points);
  double farthest = 0;
  for (const sphere::Vector& point : patch.points) {
    farthest = std::max(farthest, Length(point - sphere.center));
  }
  EXPECT_EQ(farthest, sphere.radius_m);
}

}  // namespace
}  // namespace thalweg::geographic
