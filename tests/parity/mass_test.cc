// Stages move ground and lose none of it.
#include <numeric>

#include "gtest/gtest.h"
#include "tests/parity/backends.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

constexpr int kSide = 225;
constexpr int kBorder = 96;

// Bumps on a plain. The plain is so wide that nothing moves at the result's edge.
std::vector<std::int32_t> Island(Random& random, double cell_size_m) {
  auto ground = RoughGround(random, kSide, cell_size_m);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (x >= kBorder && y >= kBorder && x < kSide - kBorder && y < kSide - kBorder) continue;
      ground[static_cast<std::size_t>(std::int64_t{y} * kSide + x)] = 0;
    }
  }
  return ground;
}

class MassTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  std::int64_t Sum(const backend::Block& block, Layer layer) {
    const int side = block.shape().ResultSide();
    std::vector<std::int32_t> values(static_cast<std::size_t>(side) *
                                     static_cast<std::size_t>(side));
    const absl::Status status = backend_->Read(block, layer, {0, 0, side, side}, values);
    EXPECT_TRUE(status.ok()) << status;
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
  }

  // Ground + fraction + wash load - uplift, in grains, of everything that the plain surrounds.
  std::int64_t Mass(const std::vector<v1::Stage>& stages, const std::vector<std::int32_t>& ground,
                    double cell_size_m, std::uint64_t seed, int grain_bits) {
    const auto world = WorldOf(stages, cell_size_m, seed);
    const world::BlockShape parent_shape{kSide - 1, 0, 0};
    auto parent = backend_->Upload(parent_shape, ground, std::vector<std::int32_t>(ground.size()));
    EXPECT_TRUE(parent.ok()) << parent.status();
    const int halo = world->programs().back().HaloCells();
    const world::BlockShape shape{2 * (kSide - 8 - halo), 0, halo};
    const backend::Job job{0, 4 + halo, 4 + halo, *parent, 0, 0};
    auto blocks = backend_->Run(world->programs().back(), shape, {&job, 1},
                                {.layers = {Layer::kWashLoad, Layer::kUplift, Layer::kFraction}});
    EXPECT_TRUE(blocks.ok()) << blocks.status();
    const backend::Block& block = *blocks->front();
    const std::int64_t units =
        Sum(block, Layer::kHeight) + Sum(block, Layer::kWashLoad) - Sum(block, Layer::kUplift);
    wash_load_ = Sum(block, Layer::kWashLoad);
    return (units << grain_bits) + Sum(block, Layer::kFraction);
  }

  backend::Backend* backend_ = nullptr;
  std::int64_t wash_load_ = 0;
};

int GrainBits(const v1::Stage& droplet, double cell_size_m) {
  const auto world = WorldOf({droplet}, cell_size_m, 0);
  return std::get<stages::DropletStage>(world->programs().back().stages.front()).params.grain_bits;
}

TEST_P(MassTest, MassIsConserved) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(2U, 8U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    // Cells of half a kilometre, where a grain is a height unit, to four millimetres.
    const double cell_size_m = std::vector{512.0, 90.0, 8.0, 0.5, 0.03, 0.004}[seed % 6];
    const v1::Stage droplet = RandomDroplet(random, 40);
    const std::vector<v1::Stage> stages{droplet, RandomThermal(random), RandomDroplet(random, 10),
                                        RandomRebound(random)};
    const int grain_bits = GrainBits(droplet, cell_size_m);
    const auto ground = Island(random, 2 * cell_size_m);
    const std::int64_t before = Mass({}, ground, cell_size_m, seed, grain_bits);
    const std::int64_t after = Mass(stages, ground, cell_size_m, seed, grain_bits);
    EXPECT_EQ(after, before) << "seed " << seed << ", cell " << cell_size_m << " m";
    EXPECT_GT(wash_load_, 0) << "nothing was carried away: the test would not see a loss";
  }
}

TEST_P(MassTest, EveryKindConservesMass) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(1U, 6U); ++seed) {
    Random random(seed);
    const double cell_size_m = std::vector{90.0, 8.0, 0.5}[seed % 3];
    const auto ground = Island(random, 2 * cell_size_m);
    const int grain_bits = GrainBits(RandomDroplet(random, 1), cell_size_m);
    const std::int64_t before = Mass({}, ground, cell_size_m, seed, grain_bits);
    for (const auto& stages : EveryKind(random, 40)) {
      EXPECT_EQ(Mass(stages, ground, cell_size_m, seed, grain_bits), before)
          << "seed " << seed << ", cell " << cell_size_m << " m: " << TextOf(stages);
    }
  }
}

// The account is exact: one height unit more of ground is one height unit more of mass.
TEST_P(MassTest, ASingleUnitOfMassIsNoticed) {
  Random random(7);
  auto ground = Island(random, 16);
  const v1::Stage droplet = RandomDroplet(random, 10);
  const int grain_bits = GrainBits(droplet, 8);
  const std::int64_t before = Mass({}, ground, 8, 7, grain_bits);
  ground[kSide * kSide / 2] += 16;
  EXPECT_NE(Mass({droplet}, ground, 8, 7, grain_bits), before);
}

INSTANTIATE_TEST_SUITE_P(Backends, MassTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
