// The rules for a planet's specification, and the patches of its blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "google/protobuf/text_format.h"
#include "proto/geometry/cube_sphere.h"
#include "server/world/block.h"
#include "server/world/planet.h"
#include "server/world/world.h"

namespace thalweg::world {
namespace {

using testing::HasSubstr;

absl::StatusOr<std::shared_ptr<const World>> Planet(const std::string& more) {
  v1::WorldSpec spec;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"(name: "ball" levels: 4 base { constant: 10 } rules { stages { thermal { iterations: 1 } } })",
      &spec));
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(more, &spec)) << more;
  return World::Create(spec);
}

std::string ErrorOf(const std::string& more) {
  return std::string(Planet(more).status().message());
}

TEST(PlanetSpecTest, CellsFollowFromTheRadius) {
  const auto planet = Planet("sphere { radius_m: 6371000 }");
  ASSERT_TRUE(planet.ok()) << planet.status();
  EXPECT_NEAR((*planet)->level(0).cell_size_m, 39092, 0.1);
  EXPECT_EQ((*planet)->level(0).surface, &SphereLayout());
  // The specification with its defaults filled in is valid too.
  EXPECT_EQ((*planet)->Reseeded(0)->hex_id(), (*planet)->hex_id());
  EXPECT_EQ((*Planet(""))->level(0).surface, &PlaneLayout());
}

TEST(PlanetSpecTest, InvalidPlanetsAreRefused) {
  EXPECT_THAT(ErrorOf("sphere {}"),
              HasSubstr("sphere.radius_m is missing: expected 1000 to 100000000"));
  EXPECT_THAT(ErrorOf("sphere { radius_m: 0 }"),
              HasSubstr("invalid sphere.radius_m: expected 1000 to 100000000, got 0"));
  EXPECT_THAT(ErrorOf("sphere { radius_m: -5 }"),
              HasSubstr("invalid sphere.radius_m: expected 1000 to 100000000, got -5"));
  EXPECT_THAT(ErrorOf("sphere { radius_m: 1e300 }"), HasSubstr("got 1e+300"));
  EXPECT_THAT(ErrorOf("sphere { radius_m: nan }"),
              HasSubstr("sphere.radius_m: expected 1000 to 100000000, got nan"));
  EXPECT_THAT(ErrorOf("sphere { radius_m: 6e6 } cell_size_m: 512"),
              HasSubstr(" is given, but it follows from sphere.radius_m"));
  EXPECT_THAT(ErrorOf("sphere { radius_m: 6e6 } showplace { east_m: 5 }"),
              HasSubstr("showplace has east_m or south_m, but the world is a sphere"));
  EXPECT_THAT(
      ErrorOf("sphere { radius_m: 6e6 } georeference { crs: \"EPSG:32611\" east: 1 north: 2 }"),
      HasSubstr("georeference is given, but the world is a sphere"));
  EXPECT_THAT(ErrorOf("sphere { radius_m: 1000 } base_level: 21"),
              HasSubstr("invalid base_level: expected 0 to 20, got 21"));
}

TEST(PlanetSpecTest, FieldsOfSpheresAreRefusedOnPlanes) {
  EXPECT_THAT(ErrorOf("showplace { latitude_deg: 5 }"),
              HasSubstr("showplace.latitude_deg 5 is given, but the world is a plane"));
  EXPECT_THAT(ErrorOf("base { latitude {} }"),
              HasSubstr("base.latitude is given, but the world is a plane"));
  EXPECT_THAT(ErrorOf("base { plates { wavelength_m: 9e5 } }"),
              HasSubstr("base.plates is given, but the world is a plane"));
  EXPECT_THAT(ErrorOf("base { craters { wavelength_m: 9e5 } }"),
              HasSubstr("base.craters is given, but the world is a plane"));
}

TEST(SphereSurfaceTest, ABlockHasAWindowForEachFaceThatItReaches) {
  const FaceLayout& surface = SphereLayout();
  const BlockShape shape{256, 40, 60};
  const auto windows = [&](std::int64_t x, std::int64_t y) {
    return surface.PatchesOf(3, shape, 2, x * 256, y * 256).size();
  };
  EXPECT_EQ(windows(3, 3), 1);
  EXPECT_EQ(windows(0, 3), 2);
  EXPECT_EQ(windows(7, 3), 2);
  EXPECT_EQ(windows(0, 0), 3);
  EXPECT_EQ(windows(7, 7), 3);
  EXPECT_EQ(surface.PatchesOf(0, shape, 0, 0, 0).size(), 6);
  EXPECT_EQ(PlaneLayout().PatchesOf(3, shape, 0, 0, 0).size(), 1);
}

TEST(SphereSurfaceTest, WindowsCoverTheSameSquareInEachLattice) {
  std::mt19937_64 random(3);
  const BlockShape shape{256, 30, 30};
  constexpr int kFineLevel = 4;
  constexpr std::int64_t kCells = 256 << kFineLevel;
  for (int n = 0; n < 200; ++n) {
    const int face = static_cast<int>(random() % 6);
    const std::int64_t y = static_cast<std::int64_t>(random() % 16) * 256;
    const auto patches = SphereLayout().PatchesOf(kFineLevel, shape, face, kCells - 256, y);
    ASSERT_GE(patches.size(), 2);
    std::set<int> faces;
    for (const Patch& patch : patches) faces.insert(patch.face);
    EXPECT_EQ(faces.size(), patches.size());
    // A vertex beyond the edge is in the other face's window too.
    const sphere::Vertex beyond{face, kCells + 7, y + 100};
    const sphere::Vertex there = sphere::Across(beyond, sphere::Side::kEast, kCells);
    EXPECT_EQ(patches[1].face, there.face);
    const std::int64_t dx = there.x - patches[1].x;
    const std::int64_t dy = there.y - patches[1].y;
    EXPECT_TRUE(dx >= -60 && dx <= 316 && dy >= -60 && dy <= 316) << dx << " " << dy;
  }
}

TEST(SphereSurfaceTest, ParentsAreFoundWhereBlocksAreLargerThanFaces) {
  const FaceLayout& surface = SphereLayout();
  for (const int wanted : {256, 512, 1024}) {
    for (int level = 1; level < 8; ++level) {
      const std::int64_t blocks = (std::int64_t{256} << level) / surface.BlockCells(level, wanted);
      const BlockKey last{3, level, blocks - 1, 0};
      const BlockKey parent = ParentOf(surface, last, wanted);
      const std::int64_t parents =
          (std::int64_t{128} << level) / surface.BlockCells(level - 1, wanted);
      EXPECT_EQ(parent.x, parents - 1) << wanted << " " << level;
      EXPECT_EQ(parent.face, level == 1 ? 0 : 3);
    }
  }
}

}  // namespace
}  // namespace thalweg::world
