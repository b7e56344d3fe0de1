// The product's central claim: every backend gives the reference's bits.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/world/world_library.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

constexpr backend::LayerSet kEveryLayer = backend::LayerSet::All();

class BackendEqualsReferenceTest : public ComparedDeviceTest {
 protected:
  // What the reference computed is kept for the other devices, which are compared with the same.
  static void TearDownTestSuite() {
    blocks_.clear();
    chains_.clear();
  }

  Chain& ReferenceChain(const std::string& name, const std::vector<world::LevelProgram>& programs,
                        int block_cells) {
    auto& chain = chains_[name];
    if (chain == nullptr) {
      chain = std::make_unique<Chain>(*reference_, programs, block_cells,
                                      backend::RunOptions{.layers = kEveryLayer});
    }
    return *chain;
  }

  // How the layers of two finished blocks differ; empty when they don't.
  std::string BlockDifference(const backend::Block& device, const backend::Block& reference) {
    const int side = device.shape().ResultSide();
    const auto plane = [side](backend::Backend& backend, const backend::Block& block, Layer layer) {
      std::vector<std::int32_t> values(static_cast<std::size_t>(side) *
                                       static_cast<std::size_t>(side));
      const absl::Status status = backend.Read(block, layer, {0, 0, side, side}, values);
      EXPECT_TRUE(status.ok()) << status;
      return values;
    };
    for (const Layer layer : kEveryLayer.List()) {
      std::string difference =
          Difference(plane(*device_, device, layer), plane(*reference_, reference, layer), side);
      if (!difference.empty())
        return "layer " + std::to_string(static_cast<int>(layer)) + ": " + difference;
    }
    const auto device_deviations = device_->ReadDeviations(device);
    const auto deviations = reference_->ReadDeviations(reference);
    EXPECT_TRUE(device_deviations.ok() && deviations.ok());
    return *device_deviations == *deviations ? "" : "deviations";
  }

  // How the last level differs between the backends, from the same ground. For the device only, the
  // bits of `flip` are flipped in the height of one parent vertex.
  std::string StageDifference(const std::vector<v1::Stage>& stages, std::uint64_t seed,
                              std::int32_t flip) {
    constexpr double kCell = 4;
    constexpr world::BlockShape kParent{128, 160, 0};
    Random random(seed);
    const auto world = WorldOf(stages, kCell, seed);
    const world::BlockShape shape{64, 4, world->programs().back().HaloCells()};
    auto ground = RoughGround(random, kParent.ResultSide(), 2 * kCell);
    std::vector<std::int32_t> flow(ground.size());
    for (auto& value : flow) value = static_cast<std::int32_t>(random() % 100000);
    auto run = [&](backend::Backend& backend) {
      auto parent = backend.Upload(kParent, ground, flow);
      EXPECT_TRUE(parent.ok()) << parent.status();
      const backend::Job job{0, 0, 0, *parent, 0, 0};
      auto blocks =
          backend.Run(world->programs().back(), shape, {&job, 1}, {.layers = kEveryLayer});
      EXPECT_TRUE(blocks.ok()) << blocks.status();
      return blocks->front();
    };
    auto& reference = blocks_[TextOf(stages) + std::to_string(seed)];
    if (reference == nullptr) reference = run(*reference_);
    const int place = (kParent.apron + 16) * (kParent.ResultSide() + 1);
    ground[static_cast<std::size_t>(place)] ^= flip;
    return BlockDifference(*run(*device_), *reference);
  }

 private:
  static inline std::map<std::string, std::shared_ptr<const backend::Block>> blocks_;
  static inline std::map<std::string, std::unique_ptr<Chain>> chains_;
};

TEST_P(BackendEqualsReferenceTest, EveryStageOnRandomSeeds) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(4U, 16U); ++seed) {
    Random random(seed * 1000);
    for (const auto& stages : EveryKind(random, 32)) {
      EXPECT_EQ(StageDifference(stages, seed, 0), "") << "seed " << seed << ": " << TextOf(stages);
    }
  }
}

TEST_P(BackendEqualsReferenceTest, ASingleFlippedBitIsReported) {
  Random random(99);
  for (const auto& stages : EveryKind(random, 32)) {
    EXPECT_THAT(StageDifference(stages, 99, 1), testing::HasSubstr("differ")) << TextOf(stages);
  }
}

TEST_P(BackendEqualsReferenceTest, EveryPresetOnRandomSeeds) {
  constexpr int kCells = 64;
  const int levels = FewOrAll(2, 5);
  const auto library = world::WorldLibrary::OfPresets();
  ASSERT_GE(library->worlds().size(), 4u);
  for (const auto& preset : library->worlds()) {
    // Planets have tests of their own, with larger blocks.
    if (preset->spec().has_sphere()) continue;
    Random random(17);
    const auto world = preset->Reseeded(random());
    SCOPED_TRACE(testing::Message() << world->name() << ", seed " << world->spec().seed());
    std::vector<world::LevelProgram> programs(world->programs().begin(),
                                              world->programs().begin() + levels);
    const backend::RunOptions options{.layers = kEveryLayer};
    Chain device(*device_, programs, kCells, options);
    Chain& reference = ReferenceChain(world->name(), programs, kCells);
    const world::BlockKey leaf{0, levels - 1, static_cast<std::int64_t>(random() % 2000) - 1000,
                               static_cast<std::int64_t>(random() % 2000) - 1000};
    for (world::BlockKey key = leaf; key.level >= 0;
         key = world::ParentOf(world::PlaneLayout(), key, kCells)) {
      EXPECT_EQ(BlockDifference(*device.Block(key), *reference.Block(key)), "")
          << "level " << key.level;
      if (key.level == 0) break;
    }
  }
}

TEST_P(BackendEqualsReferenceTest, RandomWorldsEverywhere) {
  constexpr int kCells = 32;
  for (std::uint64_t seed = 71; seed <= FewOrAll(74U, 78U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto world = RandomWorld(random, 3, 8);
    const backend::RunOptions options{.layers = kEveryLayer};
    Chain device(*device_, world->programs(), kCells, options);
    Chain& reference = ReferenceChain(std::to_string(seed),
                                      {world->programs().begin(), world->programs().end()}, kCells);
    const std::int64_t far = seed % 2 == 0 ? (std::int64_t{1} << 35) : 0;
    const world::BlockKey key{0, 2, far + static_cast<std::int64_t>(random() % 100), -far};
    EXPECT_EQ(BlockDifference(*device.Block(key), *reference.Block(key)), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendEqualsReferenceTest, kComparedDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
