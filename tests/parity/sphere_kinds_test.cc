// Stages of every kind run over the edges and corners of a planet's faces, and nothing shows where
// these are.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/world/world.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/faces.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

constexpr std::uint64_t kSeed = 20261126;
// Movers of planets make few steps in tests, since a level 0 has six whole faces.
constexpr int kMaxSteps = 8;

// How many kinds a planet has. A fault of one shows in what comes after it too; alone, it is named.
const std::size_t kKindsTogether = FewOrAll(3, 1);

// The levels of a planet whose last level has cells of 0.6 m, at the Earth's size.
constexpr std::uint32_t kDeepLevels = 17;

// A small planet of two levels; or a large one with many. The last two have these stages. `ground`
// has forms of metres, so its small planet has cells of 2 to 8 m; the others have cells of 150 to
// 400 m.
std::shared_ptr<const world::World> PlanetWith(const std::vector<v1::Stage>& stages,
                                               std::uint32_t levels = 2) {
  constexpr double kLargeM = 6'371'000;
  constexpr double kHighestM = 3'000;
  const double small_m = stages.front().has_ground() ? 1e3 : 50e3;
  const double radius_m = levels == kDeepLevels ? kLargeM : small_m;
  v1::WorldSpec spec;
  spec.set_name("planet");
  spec.set_seed(kSeed);
  spec.set_levels(levels);
  spec.set_sea_level_m(-0.01 * small_m);
  spec.mutable_sphere()->set_radius_m(radius_m);
  v1::Noise& bumps = *spec.mutable_base()->mutable_fbm();
  bumps.set_wavelength_m(radius_m / 8);
  bumps.set_amplitude(std::min(0.03 * radius_m, kHighestM));
  if (levels > 2) spec.add_rules()->set_to_level(levels - 3);
  for (std::uint32_t level = levels - 2; level < levels; ++level) {
    v1::LevelRule& rule = *spec.add_rules();
    rule.set_from_level(level);
    rule.set_to_level(level);
    for (const v1::Stage& stage : stages) {
      v1::Stage& added = *rule.add_stages();
      added = stage;
      if (!stage.has_ground()) continue;
      // It starts from a coarser level, which has no rivers here (sphere_rivers_test.cc).
      added.mutable_ground()->clear_rivers();
      if (level == levels - 2) added.mutable_thermal()->set_iterations(4);
    }
  }
  auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status() << " " << TextOf(stages);
  return world.ok() ? *world : nullptr;
}

struct Kind {
  std::string name;
  std::shared_ptr<const world::World> world;
};

std::vector<Kind> Kinds(std::uint64_t seed, std::uint32_t levels = 2) {
  Random random(seed);
  std::vector<Kind> kinds;
  std::vector<v1::Stage> together;
  std::size_t joined = 0;
  const auto end_planet = [&] {
    if (together.empty()) return;
    kinds.push_back({TextOf(together), PlanetWith(together, levels)});
    together.clear();
    joined = 0;
  };
  for (const auto& stages : EveryKind(random, kMaxSteps)) {
    // It would need a rule of its own.
    if (stages.front().has_ground()) end_planet();
    together.insert(together.end(), stages.begin(), stages.end());
    if (++joined == kKindsTogether || stages.front().has_ground()) end_planet();
  }
  end_planet();
  return kinds;
}

// What is inherited and compared: all that the world has.
backend::RunOptions Everything(const world::World& world) {
  backend::RunOptions options;
  options.layers = {Layer::kHeight, Layer::kFlow,     Layer::kSediment, Layer::kWay,
                    Layer::kUplift, Layer::kWashLoad, Layer::kFraction};
  for (const Layer layer : {Layer::kWater, Layer::kVegetation, Layer::kShore}) {
    if (world.layers().Contains(layer)) options.layers = options.layers | backend::LayerSet{layer};
  }
  return options;
}

class SphereKindsTest : public testing::TestWithParam<const char*> {};

// A block at a corner has the values of the two other faces' blocks in its apron and on its edges.
// Larger blocks give the same values on both sides of an edge and at a corner.
TEST_P(SphereKindsTest, FacesAgreeAndBlockSizeCannotBeSeen) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  for (const Kind& kind : Kinds(kSeed)) {
    SCOPED_TRACE(kind.name);
    ASSERT_NE(kind.world, nullptr);
    const backend::RunOptions options = Everything(*kind.world);
    Chain chain(*backend, kind.world->programs(), kFaceBlock, options);
    const auto shapes = world::BlockShapes(kind.world->programs(), kFaceBlock);
    for (const Layer layer : options.layers.List()) {
      EXPECT_EQ(FaceDifferences(*backend, chain, shapes[0], {0, 0, 0, 0}, layer), "")
          << "level 0, layer " << static_cast<int>(layer);
      EXPECT_EQ(FaceDifferences(*backend, chain, shapes[1], {4, 1, 1, 0}, layer), "")
          << "level 1, layer " << static_cast<int>(layer);
    }
    Chain large(*backend, kind.world->programs(), 2 * kFaceBlock);
    const Vertices corner{2 * kFaceBlock - 200, 0, 201, 300, 1};
    EXPECT_EQ(Difference(chain.Read(1, corner), large.Read(1, corner), corner.width), "");
  }
}

// The same where cells are smallest, over an edge and at a corner.
TEST_P(SphereKindsTest, FacesAgreeAtTheFinestLevel) {
  if (!IsExhaustive()) GTEST_SKIP() << "minutes: only in an exhaustive run";
  constexpr int kLast = kDeepLevels - 1;
  constexpr std::int64_t kEnd = (std::int64_t{1} << kLast) - 1;
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  for (const Kind& kind : Kinds(kSeed + 2, kDeepLevels)) {
    SCOPED_TRACE(kind.name);
    ASSERT_NE(kind.world, nullptr);
    const backend::RunOptions options = Everything(*kind.world);
    const auto shapes = world::BlockShapes(kind.world->programs(), kFaceBlock);
    for (const world::BlockKey& key :
         {world::BlockKey{4, kLast, kEnd, 0}, {1, kLast, kEnd, 29'000}}) {
      Chain chain(*backend, kind.world->programs(), kFaceBlock, options);
      for (const Layer layer : options.layers.List()) {
        EXPECT_EQ(FaceDifferences(*backend, chain, shapes[kLast], key, layer), "")
            << "face " << key.face << ", layer " << static_cast<int>(layer);
      }
    }
  }
}

// The twin: stages that do not copy over the edges what they wrote show them. What they start from,
// and what blocks keep, is copied. `ground` never reads what it writes to neighbours.
TEST_P(SphereKindsTest, FacesDifferWithoutTheStagesExchange) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  for (const Kind& kind : Kinds(kSeed)) {
    SCOPED_TRACE(kind.name);
    ASSERT_NE(kind.world, nullptr);
    backend::RunOptions options = Everything(*kind.world);
    options.exchange_in_stages = false;
    Chain chain(*backend, kind.world->programs(), kFaceBlock, options);
    const auto shapes = world::BlockShapes(kind.world->programs(), kFaceBlock);
    std::string differences;
    for (const Layer layer : options.layers.List()) {
      differences += FaceDifferences(*backend, chain, shapes[1], {4, 1, 1, 0}, layer);
    }
    const bool is_ground = kind.name.find("ground") != std::string::npos;
    EXPECT_EQ(differences.empty(), is_ground) << differences;
  }
}

// Every backend computes the reference's planets.
TEST(SphereKindsBackendsTest, Agree) {
  backend::Backend* const reference = BackendOf("reference");
  ASSERT_NE(reference, nullptr);
  for (const Kind& kind : Kinds(kSeed + 1)) {
    SCOPED_TRACE(kind.name);
    ASSERT_NE(kind.world, nullptr);
    const backend::RunOptions options = Everything(*kind.world);
    Chain by_reference(*reference, kind.world->programs(), kFaceBlock, options);
    for (const char* const device : {"native", "vulkan"}) {
      backend::Backend* const backend = BackendOf(device);
      ASSERT_NE(backend, nullptr);
      Chain by_device(*backend, kind.world->programs(), kFaceBlock, options);
      // Kernels are the same at both levels. `ground` begins at the second one.
      const int level = IsExhaustive() || kind.name.find("ground") != std::string::npos ? 1 : 0;
      const Vertices corner{0, 0, 250, 250, 2};
      for (const Layer layer : options.layers.List()) {
        EXPECT_EQ(Difference(by_reference.Read(level, corner, layer),
                             by_device.Read(level, corner, layer), corner.width),
                  "")
            << device << ", layer " << static_cast<int>(layer);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SphereKindsTest, kDevicesOfLaws, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
