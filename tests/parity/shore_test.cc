// The distance to the shore, compared with a search of every vertex.
#include "gtest/gtest.h"
#include "tests/parity/backends.h"
#include "tests/parity/random_world.h"

namespace thalweg::parity {
namespace {

using backend::Layer;

constexpr int kShoreCore = 40;
constexpr double kShoreCell = 4;

class ShoreTest : public testing::TestWithParam<const char*> {};

struct Offset {
  int x;
  int y;
};

Offset OffsetOf(std::int32_t packed) {
  const auto bits = static_cast<std::uint32_t>(packed);
  return {static_cast<std::int16_t>(bits & 0xffffu), static_cast<std::int16_t>(bits >> 16)};
}

// The squared distance of (x, y) to the nearest vertex of the other side within the radius; -1 if
// there is none.
int NearestSquared(const std::vector<bool>& water, int side, int x, int y, int radius) {
  int nearest = -1;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      const int squared = dx * dx + dy * dy;
      const auto at = [&](int column, int row) {
        return water[static_cast<std::size_t>(std::int64_t{row} * side + column)];
      };
      if (squared > radius * radius || at(x + dx, y + dy) == at(x, y)) continue;
      if (nearest < 0 || squared < nearest) nearest = squared;
    }
  }
  return nearest;
}

TEST_P(ShoreTest, FindsTheNearestVertexOnTheOtherSide) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  int found = 0;
  int beyond = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int radius = std::vector{1, 3, 9, 16, 25, 32}[seed % 6];
    // Half of the worlds have lakes of pools above the sea, the others only the sea.
    std::vector<v1::Stage> stages;
    if (seed % 2 == 0) stages.push_back(RandomPools(random));
    stages.emplace_back().mutable_shore()->set_radius(static_cast<std::uint32_t>(radius));
    const auto world = WorldOf(stages, kShoreCell, seed, -10);
    const auto& program = world->programs().back();
    const world::BlockShape shape{kShoreCore, radius, program.HaloCells()};
    const world::BlockShape parent_shape{192, 96, 0};
    const auto ground = RoughGround(random, parent_shape.ResultSide(), 2 * kShoreCell);
    auto parent = backend->Upload(parent_shape, ground, std::vector<std::int32_t>(ground.size()));
    ASSERT_TRUE(parent.ok()) << parent.status();
    const backend::Job job{0, 0, 0, *parent, 0, 0};
    auto blocks =
        backend->Run(program, shape, {&job, 1}, {.layers = {Layer::kWater, Layer::kShore}});
    ASSERT_TRUE(blocks.ok()) << blocks.status();
    const int side = shape.ResultSide();
    const auto read = [&](Layer layer) {
      std::vector<std::int32_t> values(static_cast<std::size_t>(side * side));
      const absl::Status status =
          backend->Read(*blocks->front(), layer, {0, 0, side, side}, values);
      EXPECT_TRUE(status.ok()) << status;
      return values;
    };
    const auto height = read(Layer::kHeight);
    const auto level = read(Layer::kWater);
    const auto shore = read(Layer::kShore);
    std::vector<bool> water(height.size());
    for (std::size_t i = 0; i < height.size(); ++i) {
      // A film thinner than 1/1,024 m is not water. The sea has no film.
      water[i] = height[i] < -10 * 65536 || level[i] - height[i] > 64;
    }
    for (int y = radius; y < side - radius; ++y) {
      for (int x = radius; x < side - radius; ++x) {
        const std::int32_t packed = shore[static_cast<std::size_t>(std::int64_t{y} * side + x)];
        const int expected = NearestSquared(water, side, x, y, radius);
        if (expected < 0) {
          ASSERT_EQ(packed, kernels::kNoShore) << x << ", " << y;
          ++beyond;
          continue;
        }
        const Offset way = OffsetOf(packed);
        ASSERT_EQ(way.x * way.x + way.y * way.y, expected) << x << ", " << y;
        ASSERT_NE(water[static_cast<std::size_t>((y + way.y) * side + x + way.x)],
                  water[static_cast<std::size_t>(y * side + x)])
            << x << ", " << y;
        ++found;
      }
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(beyond, 100);
}

INSTANTIATE_TEST_SUITE_P(Backends, ShoreTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
