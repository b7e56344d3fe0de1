#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "absl/strings/str_cat.h"
#include "client/tools/cli/cameras.h"

namespace thalweg::cli {
namespace {

constexpr double kEarthM = 6'371'000;
constexpr double kPlateauM = 1'000;
constexpr double kFrameS = 1.0 / 60;

std::optional<double> Plateau(const LatLong& /*place*/) { return kPlateauM; }

sphere::Vector VectorOf(const SpaceVector& v) { return {v.x, v.y, v.z}; }

sphere::Vector PositionOf(const PlanetCamera& camera) {
  return VectorOf(camera.camera().in_space->position_m);
}
sphere::Vector VelocityOf(const PlanetCamera& camera) {
  return VectorOf(camera.camera().in_space->velocity_m_s);
}
sphere::Vector SightOf(const PlanetCamera& camera) {
  return VectorOf(camera.camera().in_space->direction);
}
double HeightOverDatum(const PlanetCamera& camera) {
  return sphere::Length(PositionOf(camera)) - kEarthM;
}

PlanetPath Descent(double seconds) { return PlanetPath({{0, {0, 7}, 2e7}, {seconds, {0, 8}, 2}}); }

TEST(PlanetCameraTest, KeepsThePathsHeightAboveTheGround) {
  PlanetCamera camera(Descent(70), kEarthM, Plateau, {});
  EXPECT_EQ(camera.seconds(), 70);
  EXPECT_NEAR(HeightOverDatum(camera), kPlateauM + 2e7, 1e-3);
  camera.MoveTo(40, kFrameS);
  EXPECT_NEAR(HeightOverDatum(camera), kPlateauM + 2'000, 1e-3);
  camera.MoveTo(71, kFrameS);
  EXPECT_NEAR(HeightOverDatum(camera), kPlateauM + 2, 1e-3);
  EXPECT_GT(camera.flown_m(), 2e7 - 2);
}

TEST(PlanetCameraTest, FollowsGroundThatBecomesKnown) {
  std::optional<double> ground;
  PlanetCamera camera(Descent(70), kEarthM, [&ground](const LatLong&) { return ground; }, {});
  camera.MoveTo(50, kFrameS);
  EXPECT_NEAR(HeightOverDatum(camera), 200, 1e-3);
  // It rises at once to a quarter of its height, then gradually.
  ground = 500;
  camera.MoveTo(50, kFrameS);
  EXPECT_NEAR(HeightOverDatum(camera), 550, 1e-3);
  camera.MoveTo(50, kFrameS);
  EXPECT_GT(HeightOverDatum(camera), 551);
  camera.Follow(1);
  EXPECT_NEAR(HeightOverDatum(camera), 700, 1e-3);
}

TEST(PlanetCameraTest, DrawsTheWholeDiscFromOrbitAndItsOwnRangeNearTheGround) {
  FlyArguments arguments;
  PlanetCamera camera(Descent(70), kEarthM, Plateau, arguments);
  EXPECT_GT(camera.camera().range_m, kEarthM * std::acos(kEarthM / (kEarthM + 2e7)));
  EXPECT_LT(camera.camera().range_m, kEarthM * 1.57);
  camera.MoveTo(70, kFrameS);
  EXPECT_EQ(camera.camera().range_m, arguments.range_m);
}

TEST(PlanetCameraTest, TheForecastEndsOnThePath) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  FlyArguments arguments;
  arguments.lookahead_s = 4;
  for (int n = 0; n < 200; ++n) {
    SCOPED_TRACE(absl::StrCat("case ", n));
    const PlanetPath path({{0, {-80 + 160 * share(random), 179}, 1e5 * share(random)},
                           {60, {-80 + 160 * share(random), -170}, 10 * share(random)}});
    const double seconds = 60 * share(random);
    PlanetCamera now(path, kEarthM, Plateau, arguments);
    now.MoveTo(seconds, kFrameS);
    PlanetCamera then(path, kEarthM, Plateau, arguments);
    then.MoveTo(seconds + arguments.lookahead_s, kFrameS);
    const sphere::Vector forecast = PositionOf(now) + arguments.lookahead_s * VelocityOf(now);
    EXPECT_LT(sphere::Length(forecast - PositionOf(then)), 1e-5);
  }
}

// The reason for the mean velocity.
TEST(PlanetCameraTest, TheCurrentVelocityWouldLeadIntoThePlanet) {
  FlyArguments arguments;
  arguments.lookahead_s = 0;
  PlanetCamera camera(PlanetPath({{0, {0, 0}, 1e5}, {30, {0, 0.1}, 2}}), kEarthM, Plateau,
                      arguments);
  EXPECT_LT(sphere::Length(PositionOf(camera) + 4 * VelocityOf(camera)), kEarthM);
}

TEST(PlanetCameraTest, ItsSpeedIsAllowedInSessions) {
  const PlanetCamera camera(Descent(10), kEarthM, Plateau, {});
  EXPECT_NEAR(sphere::Length(VelocityOf(camera)), 1e6, 1);
}

TEST(PlanetCameraTest, StopsForGood) {
  PlanetCamera camera(Descent(70), kEarthM, Plateau, {});
  camera.MoveTo(30, kFrameS);
  EXPECT_GT(sphere::Length(VelocityOf(camera)), 1);
  camera.Stop();
  camera.Follow(1);
  EXPECT_EQ(sphere::Length(VelocityOf(camera)), 0);
}

TEST(PlanetCameraTest, LooksDownFromOrbitAndAheadNearTheGround) {
  PlanetCamera camera(Descent(70), kEarthM, Plateau, {});
  EXPECT_GT(sphere::Dot(SightOf(camera), sphere::Unit(PositionOf(camera))), -1.001);
  EXPECT_LT(sphere::Dot(SightOf(camera), sphere::Unit(PositionOf(camera))), -0.99);
  camera.MoveTo(69, kFrameS);
  const Compass compass = CompassAt(camera.camera().in_space->position_m);
  EXPECT_NEAR(sphere::Dot(SightOf(camera), VectorOf(compass.up)), -0.2, 0.03);
  // The path leads to the east.
  EXPECT_NEAR(sphere::Dot(SightOf(camera), VectorOf(compass.east)), 0.98, 0.01);
}

TEST(PlanetCameraTest, KeepsItsDirectionWhereThePathLeadsStraightDown) {
  PlanetCamera camera(PlanetPath({{0, {0, 0}, 50}, {10, {0, 0.01}, 50}, {20, {0, 0.01}, 2}}),
                      kEarthM, Plateau, {});
  for (double seconds = 0; seconds < 20; seconds += kFrameS) camera.MoveTo(seconds, kFrameS);
  const Compass compass = CompassAt(camera.camera().in_space->position_m);
  EXPECT_GT(sphere::Dot(SightOf(camera), VectorOf(compass.east)), 0.97);
  // A path that only leads down looks north.
  const PlanetCamera down(PlanetPath({{0, {0, 0}, 50}, {10, {0, 0}, 2}}), kEarthM, Plateau, {});
  EXPECT_GT(sphere::Dot(SightOf(down), VectorOf(compass.north)), 0.97);
}

TEST(PlanetCameraTest, TurnsGraduallyAtACorner) {
  PlanetCamera camera(PlanetPath({{0, {0, 0}, 50}, {10, {0, 0.01}, 50}, {20, {0, -0.01}, 50}}),
                      kEarthM, Plateau, {});
  const sphere::Vector east = VectorOf(CompassAt(camera.camera().in_space->position_m).east);
  sphere::Vector before = SightOf(camera);
  for (double seconds = 0; seconds < 20; seconds += kFrameS) {
    camera.MoveTo(seconds, kFrameS);
    EXPECT_GT(sphere::Dot(SightOf(camera), before), std::cos(0.12)) << seconds;
    before = SightOf(camera);
  }
  // At the end it looks back to where it came from.
  EXPECT_LT(sphere::Dot(before, east), -0.97);
}

}  // namespace
}  // namespace thalweg::cli
