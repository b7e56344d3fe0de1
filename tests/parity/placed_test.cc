// Placed nodes have the same bits on every backend, and lie where they were placed.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"
#include "proto/wire/sha256.h"
#include "server/world/world.h"
#include "server/world/world_check.h"
#include "server/world/world_library.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"
#include "tests/world/random_placed.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

class PlacedTest : public ComparedDeviceTest {};

v1::Noise Waves(Random& random, double wavelength_m, double amplitude) {
  v1::Noise noise;
  noise.set_wavelength_m(wavelength_m);
  noise.set_amplitude(amplitude);
  noise.set_octaves(3);
  noise.set_salt(static_cast<std::uint32_t>(random() % 1000));
  return noise;
}

// Placed nodes and noise, in each other in every way that graphs allow.
v1::Node RandomGraph(Random& random, const world::Surroundings& around, int depth) {
  v1::Node node;
  const auto below = [&] { return RandomGraph(random, around, depth - 1); };
  if (depth == 0) {
    if (random() % 3 != 0) return world::RandomPlaced(random, around, 500);
    *node.mutable_fbm() = Waves(random, around.size_m / 4, 100);
    return node;
  }
  switch (random() % 5) {
    case 0:
      *node.mutable_warp()->mutable_source() = below();
      *node.mutable_warp()->mutable_displacement() =
          Waves(random, around.size_m / 3, around.size_m / 20);
      return node;
    case 1:
      *node.mutable_blend()->mutable_low() = below();
      *node.mutable_blend()->mutable_high() = below();
      *node.mutable_blend()->mutable_mask() = below();
      return node;
    case 2:
      for (int i = 0; i < 2; ++i) *node.mutable_max()->add_nodes() = below();
      return node;
    default:
      for (int i = 0; i < 3; ++i) *node.mutable_sum()->add_nodes() = below();
      return node;
  }
}

// A plane or a planet whose base and steepness are random graphs with placed nodes.
std::shared_ptr<const world::World> WorldOfGraphs(std::uint64_t seed) {
  Random random(seed);
  v1::WorldSpec spec;
  spec.set_name("placed");
  spec.set_seed(seed);
  spec.set_levels(2);
  spec.set_base_level(1);
  const bool on_sphere = seed % 2 == 1;
  if (on_sphere) spec.mutable_sphere()->set_radius_m(1e6);
  const world::Surroundings around{.on_sphere = on_sphere, .size_m = on_sphere ? 4e5 : 4e4};
  *spec.mutable_base() = RandomGraph(random, around, 3);
  v1::LevelRule& rule = *spec.add_rules();
  // Rivers take the reference seconds.
  if (seed % 8 == 0) {
    v1::Nodes& steepness = *spec.mutable_steepness()->mutable_product();
    *steepness.add_nodes() = world::RandomPlaced(random, around, 100);
    steepness.add_nodes()->set_constant(0.01);
    rule.add_stages()->mutable_rivers()->set_steepness(0.01);
  }
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status() << "\n" << spec.DebugString();
  return world.ok() ? *world : nullptr;
}

TEST_P(PlacedTest, RandomGraphsHaveTheReferencesBits) {
  int relief = 0;
  for (std::uint64_t seed = 0; seed < FewOrAll(16U, 200U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto world = WorldOfGraphs(seed);
    ASSERT_NE(world, nullptr);
    Chain ours(*device_, world->programs(), 64);
    Chain theirs(*reference_, world->programs(), 64);
    for (const int level : {0, 1}) {
      const Vertices square{40, 50, 65, 65};
      const auto heights = ours.Read(level, square);
      EXPECT_EQ(Difference(heights, theirs.Read(level, square), square.width), "") << level;
      const auto [least, most] = std::ranges::minmax_element(heights);
      relief += *most > *least ? 1 : 0;
    }
  }
  EXPECT_GT(relief, static_cast<int>(FewOrAll(16U, 200U)));
}

// The mean height of the vertices at a distance from the middle of a square, to within a cell.
double MeanOfRing(const std::vector<std::int32_t>& heights, int side, double cells) {
  double sum = 0;
  int count = 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      if (std::abs(std::hypot(x - side / 2, y - side / 2) - cells) > 1) continue;
      sum += heights[static_cast<std::size_t>(y * side + x)];
      ++count;
    }
  }
  return sum / count / 65536;
}

// The preset `islands` with one more island, whose rivers run down from where it was placed.
TEST_P(PlacedTest, AnIslandLiesWhereItWasPlaced) {
  v1::WorldSpec spec;
  for (const auto& preset : world::WorldLibrary::OfPresets()->worlds()) {
    if (preset->name() == "islands") spec = preset->spec();
  }
  ASSERT_EQ(spec.name(), "islands");
  spec.set_levels(3);
  const v1::Node sea_and_land = spec.base();
  for (const double east_m : {20'000.0, 150'000.0, -333'000.0}) {
    v1::Nodes& highest = *spec.mutable_base()->mutable_max();
    highest.clear_nodes();
    *highest.add_nodes() = sea_and_land;
    v1::Radial& isle = *highest.add_nodes()->mutable_radial();
    isle.mutable_center()->set_east_m(east_m);
    isle.mutable_center()->set_south_m(-70'000);
    isle.set_radius_m(12'000);
    for (const auto& [in, out] : {std::pair{0.0, 5000.0}, {1.0, -500.0}}) {
      v1::Point& point = *isle.add_profile();
      point.set_in(in);
      point.set_out(out);
    }
    const auto world = world::World::Create(spec);
    ASSERT_TRUE(world.ok()) << world.status();
    constexpr int kLevel = 2;
    const double cell_m = (*world)->level(kLevel).cell_size_m;
    const auto column = std::llround(east_m / cell_m);
    const auto row = std::llround(-70'000 / cell_m);
    Chain chain(*device_, (*world)->programs(), 128);
    constexpr int kAround = 101;
    const auto heights =
        chain.Read(kLevel, {column - kAround / 2, row - kAround / 2, kAround, kAround});
    double above = 1e9;
    for (const double away_m : {1000, 4000, 8000, 11'500}) {
      const double mean = MeanOfRing(heights, kAround, away_m / cell_m);
      EXPECT_LT(mean, above) << east_m << ", " << away_m;
      above = mean;
    }
    EXPECT_LT(above, 300) << east_m;
    EXPECT_GT(MeanOfRing(heights, kAround, 1000 / cell_m), 400) << east_m;
  }
}

// A world of the guide (server/world/guide).
std::shared_ptr<const world::World> GuideWorld(const std::string& file) {
  const auto text =
      world::ReadWorldText(std::filesystem::path(THALWEG_SOURCE_DIR) / "server/world/guide" / file);
  EXPECT_TRUE(text.ok()) << text.status();
  return text.ok() ? world::CheckWorldText(*text, nullptr).world : nullptr;
}

// The bits of placed nodes, on any machine: they change only with the generator's version.
TEST_P(PlacedTest, TheGuidesWorldsHaveTheirDigests) {
  for (const auto& [file, digest] :
       {std::pair{"volcano-island.json", "1346deb0c4bf852a4835ea207ce01fa4"},
        {"fjords.json", "2654c5b47945a31e32d6df860f3f7b7a"},
        {"continent.json", "22ba87d44afdfa29412cb942e916a85f"}}) {
    const auto world = GuideWorld(file);
    ASSERT_NE(world, nullptr);
    Chain chain(*device_, world->programs(), 64);
    const auto heights = chain.Read(0, {20, 30, 65, 65});
    const std::string bytes(reinterpret_cast<const char*>(heights.data()),
                            heights.size() * sizeof(heights[0]));
    EXPECT_EQ(absl::BytesToHexString(wire::Sha256(bytes)).substr(0, 32), digest) << file;
  }
}

// The guide's volcano: rivers that go few steps keep the height of the base, and its crater's rim.
TEST_P(PlacedTest, FewStepsKeepTheHeightOfTheBase) {
  const auto volcano = GuideWorld("volcano-island.json");
  ASSERT_NE(volcano, nullptr);
  constexpr int kLevel = 4;
  v1::WorldSpec bare = volcano->spec();
  bare.clear_rules();
  bare.add_rules();
  const auto base = world::World::Create(bare);
  ASSERT_TRUE(base.ok()) << base.status();
  const double cell_m = volcano->level(kLevel).cell_size_m;
  constexpr double kEastM = 5000;
  constexpr double kSouthM = -2000;
  constexpr int kAround = 161;
  const Vertices square{std::llround(kEastM / cell_m) - kAround / 2,
                        std::llround(kSouthM / cell_m) - kAround / 2, kAround, kAround};
  const auto highest = [&](const world::World& world) {
    Chain chain(*device_, world.programs(), 128);
    return chain.Read(kLevel, square);
  };
  const auto before = highest(**base);
  const auto after = highest(*volcano);
  const double asked = *std::ranges::max_element(before);
  const auto peak = std::ranges::max_element(after);
  EXPECT_NEAR(*peak / asked, 1, 0.15);
  // The rim lies at 0.14 of 8,000 m.
  const auto at = peak - after.begin();
  const double away_m = std::hypot(at % kAround - kAround / 2, at / kAround - kAround / 2) * cell_m;
  EXPECT_NEAR(away_m, 0.14 * 8000, 500);
  EXPECT_LT(after[kAround * kAround / 2], 0.85 * *peak);
}

INSTANTIATE_TEST_SUITE_P(Devices, PlacedTest, testing::Values("native", "vulkan"), NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
