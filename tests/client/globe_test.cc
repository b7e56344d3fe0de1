// Pictures of planets from orbit: the places of their pixels, and their colours.
#include "client/tools/picture/globe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "client/tools/globe/globe.h"
#include "thalweg/planet.h"

namespace thalweg {
namespace {

using globe::Disc;
using globe::DiscPoint;

TEST(DiscTest, DirectionsAreOrthogonalUnitVectors) {
  constexpr std::uint64_t kSeed = 41;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int n = 0; n < 20; ++n) {
    const Disc disc{
        {static_cast<double>(random() % 181) - 90, static_cast<double>(random() % 361) - 180}, 40};
    for (const DiscPoint& point : disc.Points()) {
      EXPECT_NEAR(Dot(point.at, point.at), 1, 1e-9);
      EXPECT_NEAR(Dot(point.right, point.right), 1, 1e-9);
      EXPECT_NEAR(Dot(point.up, point.up), 1, 1e-9);
      EXPECT_NEAR(Dot(point.right, point.at), 0, 1e-9);
      EXPECT_NEAR(Dot(point.up, point.at), 0, 1e-9);
      EXPECT_NEAR(Dot(point.right, point.up), 0, 1e-9);
      EXPECT_GE(point.facing, 0);
    }
  }
}

// As on a map, east is right and north is up.
TEST(DiscTest, EastIsRightAndNorthIsUp) {
  const Disc disc{{20, -75}, 201};
  int seen = 0;
  for (const DiscPoint& point : disc.Points()) {
    const sphere::LatLong place = sphere::LatLongOf(point.at);
    if (point.x == 100 && point.y == 100) {
      EXPECT_NEAR(place.latitude, 20, 1e-6);
      EXPECT_NEAR(place.longitude, -75, 1e-6);
      EXPECT_NEAR(point.facing, 1, 1e-9);
      ++seen;
    }
    if (point.x == 120 && point.y == 100) {
      EXPECT_GT(place.longitude, -75);
      ++seen;
    }
    if (point.x == 100 && point.y == 80) {
      EXPECT_GT(place.latitude, 20);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 3);
}

TEST(DiscTest, ShowsHalfOfThePlanet) {
  const Disc disc{{0, 0}, 300};
  double covered = 0;
  for (const DiscPoint& point : disc.Points()) covered += static_cast<double>(point.share);
  EXPECT_NEAR(covered, 3.14159265 * disc.Radius() * disc.Radius(), 10);
}

TEST(DiscTest, LevelsAreAsFineAsItsPixels) {
  EXPECT_EQ(globe::LevelOf({{0, 0}, 16}), 0);
  EXPECT_EQ(globe::LevelOf({{0, 0}, 339}), 0);
  EXPECT_EQ(globe::LevelOf({{0, 0}, 340}), 1);
  EXPECT_EQ(globe::LevelOf({{0, 0}, 1024}), 2);
}

std::vector<picture::GlobePixel> FlatGlobe(int size, float height_m) {
  std::vector<picture::GlobePixel> pixels;
  for (const DiscPoint& point : Disc{{0, 0}, size}.Points()) {
    pixels.push_back({.x = point.x,
                      .y = point.y,
                      .height_m = height_m,
                      .slope = {},
                      .cover = 0,
                      .facing = static_cast<float>(point.facing),
                      .share = point.share});
  }
  return pixels;
}

TEST(RenderGlobeTest, DrawsThePlanetBeforeTheSky) {
  const auto image = picture::RenderGlobe(FlatGlobe(101, 500), {.size = 101, .pixel_m = 10'000});
  const auto middle = image.Get(50, 50);
  const auto corner = image.Get(0, 0);
  EXPECT_GT(middle.g, 0.5F);
  EXPECT_LT(corner.g, 0.05F);
  // The disc is darker towards its edge, by the same amount on all sides.
  const auto near_edge = image.Get(94, 50);
  EXPECT_LT(near_edge.g, middle.g);
  EXPECT_EQ(near_edge.g, image.Get(50, 6).g);
}

TEST(RenderGlobeTest, SeaIsBelowItsLevel) {
  const picture::GlobeOptions options{.size = 51, .pixel_m = 10'000, .sea_level_m = 100};
  const auto land = picture::RenderGlobe(FlatGlobe(51, 101), options).Get(25, 25);
  const auto sea = picture::RenderGlobe(FlatGlobe(51, 99), options).Get(25, 25);
  EXPECT_GT(land.g, land.b);
  EXPECT_GT(sea.b, sea.r);
}

// The light comes from the upper left.
TEST(RenderGlobeTest, SlopesTowardsTheUpperLeftAreLit) {
  auto lit = FlatGlobe(51, 500);
  auto shaded = lit;
  for (auto& pixel : lit) pixel.slope = {.east = 0.02F, .south = 0.02F};
  for (auto& pixel : shaded) pixel.slope = {.east = -0.02F, .south = -0.02F};
  const picture::GlobeOptions options{.size = 51, .pixel_m = 10'000};
  EXPECT_GT(picture::RenderGlobe(lit, options).Get(25, 25).g,
            picture::RenderGlobe(shaded, options).Get(25, 25).g + 0.1F);
}

}  // namespace
}  // namespace thalweg
