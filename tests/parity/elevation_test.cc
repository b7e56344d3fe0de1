// Real land in worlds: the same bits on every backend and for every block.
#include <google/protobuf/text_format.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "server/world/world.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"
#include "tests/proto/elevation/random_land.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

constexpr int kWorldLevels = 5;
constexpr int kLandLevel = 2;
constexpr double kWorldCell = 512;
constexpr int kLandSide = 300;

world::ElevationFilePointer Land(std::uint64_t seed) {
  const std::string bytes =
      elevation::Encode(std::ldexp(kWorldCell, -kLandLevel),
                        elevation::RandomSheets(seed, kLandSide, kLandSide, kLandLevel));
  return elevation::ElevationFile::Parse(bytes).value();
}

std::vector<world::LevelProgram> ProgramsOn(std::uint64_t seed,
                                            const world::ElevationFilePointer& land) {
  const std::string text = absl::StrCat(
      R"(name: "land" seed: )", seed, " levels: ", kWorldLevels, " cell_size_m: ", kWorldCell, R"(
      base_level_m: 100
      base { fbm { wavelength_m: 30000 amplitude: 300 octaves: 4 offset: 200 } }
      rules { to_level: 0 stages { rivers { path: 16 fills: 16 } } }
      rules { from_level: 1 stages { droplet { steps: 4 } } stages { rivers { displacement: 0.5 } } }
      elevation { sha256: ")",
      land->hash(), R"(" level: )", kLandLevel, " blend_m: 3000 }");
  v1::WorldSpec spec;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &spec)) << text;
  const auto world = world::World::Create(spec, [&](const std::string&) { return land; });
  EXPECT_TRUE(world.ok()) << world.status();
  return (*world)->programs();
}

// A square of a level around a corner of the land: it contains the whole width of the blending.
Vertices AtTheCorner(int level) {
  const int middle = level <= kLandLevel ? -(kLandSide / 2) >> (kLandLevel - level)
                                         : -(kLandSide / 2) << (level - kLandLevel);
  return {middle - 30, middle - 30, 90, 90};
}

class ElevationTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  backend::Backend* backend_ = nullptr;
};

TEST_P(ElevationTest, BlockSizeCannotBeSeen) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(1U, 2U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto programs = ProgramsOn(seed, Land(seed));
    Chain small(*backend_, programs, 32);
    Chain large(*backend_, programs, 128);
    for (int level = 0; level < kWorldLevels; ++level) {
      const Vertices square = AtTheCorner(level);
      for (const auto layer : {backend::Layer::kHeight, backend::Layer::kFlow}) {
        EXPECT_EQ(Difference(large.Read(level, square, layer), small.Read(level, square, layer),
                             square.width),
                  "")
            << "level " << level;
      }
    }
  }
}

TEST_P(ElevationTest, BlocksComputedTogetherEqualThoseAlone) {
  const auto programs = ProgramsOn(3, Land(3));
  Chain alone(*backend_, programs, 64);
  Chain together(*backend_, programs, 64);
  together.ComputeTogether({{0, 0, -1, -1}, {0, 0, 0, 0}, {0, 0, 3, -2}});
  const Vertices square{-64, -64, 128, 128};
  EXPECT_EQ(Difference(alone.Read(0, square), together.Read(0, square), square.width), "");
}

TEST_P(ElevationTest, LevelsOfTheLandHaveItsHeights) {
  const auto land = Land(4);
  const auto programs = ProgramsOn(4, land);
  Chain chain(*backend_, programs, 64);
  for (int level = 0; level <= kLandLevel; ++level) {
    const Vertices square{-8, -8, 16, 16};
    const auto heights = chain.Read(level, square);
    const elevation::SheetShape& shape = land->shape(kLandLevel - level);
    std::vector<std::int32_t> raster(heights.size());
    land->Read(kLandLevel - level, elevation::Plane::kGround, static_cast<int>(square.x - shape.x0),
               static_cast<int>(square.y - shape.y0), square.width, square.height, raster);
    EXPECT_EQ(Difference(raster, heights, square.width), "") << "level " << level;
    // The twin: a square that is shifted by one vertex differs.
    EXPECT_NE(Difference(raster, chain.Read(level, {-7, -8, 16, 16}), square.width), "");
  }
}

// Far from real land, a world is the same as one without real land.
TEST_P(ElevationTest, FarGroundEqualsTheBase) {
  const auto programs = ProgramsOn(5, Land(5));
  auto bare = programs;
  for (auto& program : bare) program.elevation = nullptr;
  Chain with(*backend_, programs, 64);
  Chain without(*backend_, bare, 64);
  const Vertices far{2000, -3000, 60, 60};
  EXPECT_EQ(Difference(with.Read(1, far), without.Read(1, far), far.width), "");
  const Vertices near{-20, -20, 40, 40};
  EXPECT_NE(Difference(with.Read(1, near), without.Read(1, near), near.width), "");
}

INSTANTIATE_TEST_SUITE_P(Devices, ElevationTest, kDevices, NameOfDevice);

TEST(ElevationParityTest, GpuEqualsReference) {
  backend::Backend* const gpu = BackendOf("vulkan");
  backend::Backend* const reference = BackendOf("reference");
  ASSERT_NE(gpu, nullptr);
  const auto programs = ProgramsOn(6, Land(6));
  Chain on_gpu(*gpu, programs, 64);
  Chain by_reference(*reference, programs, 64);
  for (int level = 0; level < kWorldLevels; ++level) {
    for (const auto layer : {backend::Layer::kHeight, backend::Layer::kFlow,
                             backend::Layer::kSediment, backend::Layer::kWay}) {
      const Vertices square = AtTheCorner(level);
      EXPECT_EQ(Difference(by_reference.Read(level, square, layer),
                           on_gpu.Read(level, square, layer), square.width),
                "")
          << "level " << level << ", layer " << static_cast<int>(layer);
    }
  }
}

}  // namespace
}  // namespace thalweg::parity
