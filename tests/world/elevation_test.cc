#include "server/world/elevation.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/world/world.h"
#include "server/world/world_library.h"
#include "shaders/stages/pass.glsl"
#include "tests/proto/elevation/random_land.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

using testing::HasSubstr;

constexpr int kLevel = 2;
constexpr int kWidth = 150;
constexpr int kHeight = 110;

// The bytes of a file for level 2 of SmallSpec, with cells of that level's size.
std::string FileBytes(std::uint64_t seed = 1, int steps = kLevel) {
  const double cell_m =
      std::ldexp(World::Create(SmallSpec()).value()->spec().cell_size_m(), -kLevel);
  return elevation::Encode(cell_m, elevation::RandomSheets(seed, kWidth, kHeight, steps));
}

ElevationFilePointer File(std::uint64_t seed = 1) {
  return elevation::ElevationFile::Parse(FileBytes(seed)).value();
}

v1::WorldSpec SpecWith(const ElevationFilePointer& file) {
  v1::WorldSpec spec = SmallSpec();
  spec.mutable_elevation()->set_sha256(file->hash());
  spec.mutable_elevation()->set_level(kLevel);
  spec.mutable_elevation()->set_blend_m(1000);
  return spec;
}

FindElevation Giving(const ElevationFilePointer& file) {
  return [file](const std::string&) { return file; };
}

std::shared_ptr<const World> WorldWith(const ElevationFilePointer& file) {
  return World::Create(SpecWith(file), Giving(file)).value();
}

class TempFolder {
 public:
  TempFolder() : path_(testing::TempDir() + "elevation-" + std::to_string(::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }
  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path path_;
};

// A vertex's values do not depend on the square in which they are asked for.
TEST(ElevationTest, SquaresThatOverlapAgree) {
  const auto world = WorldWith(File());
  std::mt19937_64 random(5);
  const auto between = [&](int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random);
  };
  for (int trial = 0; trial < 60; ++trial) {
    const int level = between(0, kLevel);
    const Elevation& elevation = *world->level(level).elevation;
    const int large = 90;
    const int small = between(1, 40);
    const int x = between(-200, 200) >> (kLevel - level);
    const int y = between(-200, 200) >> (kLevel - level);
    const int inset_x = between(0, large - small);
    const int inset_y = between(0, large - small);
    std::vector<std::int32_t> whole(Elevation::kPlanes * large * large);
    std::vector<std::int32_t> part(static_cast<std::size_t>(Elevation::kPlanes * small * small));
    elevation.Fill(level, x, y, large, whole);
    elevation.Fill(level, x + inset_x, y + inset_y, small, part);
    for (int plane = 0; plane < Elevation::kPlanes; ++plane) {
      for (int row = 0; row < small; ++row) {
        for (int column = 0; column < small; ++column) {
          ASSERT_EQ(part[static_cast<std::size_t>((plane * small + row) * small + column)],
                    whole[static_cast<std::size_t>((plane * large + row + inset_y) * large +
                                                   column + inset_x)])
              << "level " << level << ", " << x + inset_x + column << ", " << y + inset_y + row;
        }
      }
    }
  }
}

TEST(ElevationTest, HasTheRastersHeightsAtEachOfItsLevels) {
  const auto file = File();
  const auto world = WorldWith(file);
  for (int level = 0; level <= kLevel; ++level) {
    const int step = kLevel - level;
    const elevation::SheetShape& shape = file->shape(step);
    std::vector<std::int32_t> one(Elevation::kPlanes);
    std::int32_t height = 0;
    for (int y = 0; y < shape.height; ++y) {
      for (int x = 0; x < shape.width; ++x) {
        world->level(level).elevation->Fill(level, shape.x0 + x, shape.y0 + y, 1, one);
        if (one[2] == 0) continue;
        file->Read(step, elevation::Plane::kGround, x, y, 1, 1, {&height, 1});
        ASSERT_EQ(one[0], height) << "level " << level << ": " << x << ", " << y;
      }
    }
    // In the middle of the land, its weight is full.
    world->level(level).elevation->Fill(level, 0, 0, 1, one);
    EXPECT_EQ(one[2], Elevation::kWhole);
  }
  EXPECT_EQ(world->levels() > kLevel + 1 ? world->level(kLevel + 1).elevation : nullptr, nullptr);
}

// From every vertex of real land, each step of the water leads down and stays on the land.
TEST(ElevationTest, RiversEndInsideTheLand) {
  const auto world = WorldWith(File());
  constexpr int kSide = 160;
  std::vector<std::int32_t> values(Elevation::kPlanes * kSide * kSide);
  world->level(kLevel).elevation->Fill(kLevel, -kSide / 2, -kSide / 2, kSide, values);
  const auto at = [&](std::ptrdiff_t plane, std::ptrdiff_t x, std::ptrdiff_t y) {
    return values[static_cast<std::size_t>((plane * kSide + y) * kSide + x)];
  };
  constexpr int kDx[] = {1, 1, 0, -1, -1, -1, 0, 1, 0};
  constexpr int kDy[] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
  int rivers = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (at(2, x, y) < kernels::kElevationHalf) continue;
      ++rivers;
      const int direction = kernels::riverDirection(at(1, x, y));
      ASSERT_GE(direction, 0);
      ASSERT_LE(direction, kernels::kWayEnds);
      if (direction == kernels::kWayEnds) continue;
      const int to_x = x + kDx[direction];
      const int to_y = y + kDy[direction];
      EXPECT_GE(at(2, to_x, to_y), kernels::kElevationHalf);
      EXPECT_LT(at(0, to_x, to_y), at(0, x, y));
    }
  }
  EXPECT_GT(rivers, 1000);
}

TEST(ElevationTest, TheIdDependsOnTheLand) {
  const auto one = File(1);
  const auto other = File(2);
  const std::string id = WorldWith(one)->id();
  EXPECT_NE(id, World::Create(SmallSpec()).value()->id());
  EXPECT_NE(id, WorldWith(other)->id());
  v1::WorldSpec blended = SpecWith(one);
  blended.mutable_elevation()->set_blend_m(2000);
  EXPECT_NE(id, World::Create(blended, Giving(one)).value()->id());
  // The land's position on Earth does not change its ground.
  v1::WorldSpec placed = SpecWith(one);
  placed.mutable_georeference()->set_crs("EPSG:32611");
  placed.mutable_georeference()->set_east(400000);
  placed.mutable_georeference()->set_north(3800000);
  EXPECT_EQ(id, World::Create(placed, Giving(one)).value()->id());
}

TEST(ElevationTest, AnotherSeedKeepsTheLand) {
  const auto world = WorldWith(File());
  const auto reseeded = world->Reseeded(77);
  ASSERT_NE(reseeded->level(0).elevation, nullptr);
  EXPECT_NE(reseeded->id(), world->id());
}

TEST(ElevationTest, RefusesLandWithOtherCellsOrLevels) {
  const auto file = File();
  v1::WorldSpec spec = SpecWith(file);
  spec.mutable_elevation()->set_level(1);
  EXPECT_THAT(
      World::Create(spec, Giving(file)).status().message(),
      HasSubstr("invalid elevation.level: expected the level with the elevation file's cells of "));
  const auto short_file = elevation::ElevationFile::Parse(FileBytes(1, 1)).value();
  EXPECT_THAT(World::Create(SpecWith(short_file), Giving(short_file)).status().message(),
              HasSubstr("since the elevation file has 2 sheets"));
  spec.mutable_elevation()->set_level(20);
  EXPECT_THAT(World::Create(spec, Giving(file)).status().message(),
              HasSubstr("invalid elevation.level: expected 0 to "));
  spec.mutable_elevation()->set_sha256("../../etc/passwd");
  EXPECT_THAT(World::Create(spec, Giving(file)).status().message(),
              HasSubstr("64 hexadecimal digits"));
  v1::WorldSpec nowhere = SpecWith(file);
  nowhere.mutable_georeference()->set_crs("/etc/passwd");
  EXPECT_FALSE(World::Create(nowhere, Giving(file)).ok());
  EXPECT_EQ(World::Create(SpecWith(file)).status().code(), absl::StatusCode::kNotFound);
}

TEST(ElevationFolderTest, ReadsTheFileOfAHash) {
  const TempFolder folder;
  const std::string bytes = FileBytes();
  const std::string hash = elevation::HashOf(bytes);
  const FindElevation find = ElevationsOf(folder.path());
  EXPECT_EQ(find(hash).status().code(), absl::StatusCode::kNotFound);
  folder.Write(elevation::FileNameOf(hash), bytes);
  const auto file = find(hash);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->hash(), hash);
  // A file that is in use is not read again.
  EXPECT_EQ(find(hash).value(), *file);
}

TEST(ElevationFolderTest, RefusesAFileWithAnotherHash) {
  const TempFolder folder;
  const std::string hash = elevation::HashOf(FileBytes(1));
  folder.Write(elevation::FileNameOf(hash), FileBytes(2));
  const FindElevation find = ElevationsOf(folder.path());
  EXPECT_THAT(find(hash).status().message(), HasSubstr("expected SHA-256 " + hash));
  folder.Write(elevation::FileNameOf(hash), "no land");
  EXPECT_EQ(find(hash).status().code(), absl::StatusCode::kDataLoss);
}

TEST(ElevationFolderTest, ALibraryFindsTheLandInItsFolder) {
  const TempFolder folder;
  const std::string bytes = FileBytes();
  const auto file = elevation::ElevationFile::Parse(bytes).value();
  folder.Write(elevation::FileNameOf(file->hash()), bytes);
  const auto library = WorldLibrary::Open(folder.path()).value();
  v1::WorldSpec spec = SpecWith(file);
  spec.set_name("real");
  const auto created = library->Create(spec, {}, {});
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(created->world->id(), World::Create(spec, Giving(file)).value()->id());
  EXPECT_EQ(WorldLibrary::OfPresets()->Create(spec, {}, {}).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace thalweg::world
