// Rivers leave no pits on ground whose parent has none.
#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "gtest/gtest.h"
#include "tests/parity/backends.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

constexpr int kDrainageCore = 96;
constexpr double kDrainageCell = 8;
// The least descent over a parent's cell, as steep as the least that a level leaves: 1 in 16,384.
constexpr std::int32_t kDescent = 64;

// Raises ground until every vertex has a lower neighbour. Vertices of the edge are outlets
// (priority-flood: Barnes, Lehman & Mulla 2014).
std::vector<std::int32_t> Drained(std::vector<std::int32_t> ground, int side) {
  using Vertex = std::pair<std::int32_t, int>;  // height and place
  std::priority_queue<Vertex, std::vector<Vertex>, std::greater<>> front;
  std::vector<bool> reached(ground.size(), false);
  const auto reach = [&](int place) {
    reached[static_cast<std::size_t>(place)] = true;
    front.emplace(ground[static_cast<std::size_t>(place)], place);
  };
  for (int i = 0; i < side; ++i) {
    for (const int place : {i, (side - 1) * side + i, i * side, i * side + side - 1}) {
      if (!reached[static_cast<std::size_t>(place)]) reach(place);
    }
  }
  while (!front.empty()) {
    const auto [height, place] = front.top();
    front.pop();
    const int x = place % side;
    const int y = place / side;
    for (int row = std::max(y - 1, 0); row <= std::min(y + 1, side - 1); ++row) {
      for (int column = std::max(x - 1, 0); column <= std::min(x + 1, side - 1); ++column) {
        const auto next = static_cast<std::size_t>(std::int64_t{row} * side + column);
        if (reached[next]) continue;
        ground[next] = std::max(ground[next], height + kDescent);
        reach(row * side + column);
      }
    }
  }
  return ground;
}

// The number of inner vertices that have no lower neighbour.
int Pits(const std::vector<std::int32_t>& ground, int side) {
  int pits = 0;
  for (int y = 1; y + 1 < side; ++y) {
    for (int x = 1; x + 1 < side; ++x) {
      const auto at = [&](int column, int row) {
        return ground[static_cast<std::size_t>(std::int64_t{row} * side + column)];
      };
      int lowest = at(x, y);
      for (int i = 0; i < 9; ++i) lowest = std::min(lowest, at(x + i % 3 - 1, y + i / 3 - 1));
      if (lowest == at(x, y)) ++pits;
    }
  }
  return pits;
}

class DrainageTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  // The number of pits that rain and these stages leave on ground whose parent is drained.
  int PitsAfter(const std::vector<v1::Stage>& after_rain, std::uint64_t seed) {
    Random random(seed);
    std::vector<v1::Stage> stages = {RandomDroplet(random, 12)};
    stages.insert(stages.end(), after_rain.begin(), after_rain.end());
    const auto world = WorldOf(stages, kDrainageCell, seed);
    const auto& program = world->programs().back();
    const world::BlockShape shape{kDrainageCore, 1, program.HaloCells()};
    const world::BlockShape parent_shape{192, 96, 0};
    const int side = parent_shape.ResultSide();
    const auto ground = Drained(RoughGround(random, side, 2 * kDrainageCell), side);
    auto parent = backend_->Upload(parent_shape, ground, std::vector<std::int32_t>(ground.size()));
    EXPECT_TRUE(parent.ok()) << parent.status();
    const backend::Job job{0, 0, 0, *parent, 0, 0};
    auto blocks = backend_->Run(program, shape, {&job, 1}, {});
    EXPECT_TRUE(blocks.ok()) << blocks.status();
    std::vector<std::int32_t> heights((kDrainageCore + 1) * (kDrainageCore + 1));
    const absl::Status status =
        backend_->Read(*blocks->front(), backend::Layer::kHeight,
                       {0, 0, kDrainageCore + 1, kDrainageCore + 1}, heights);
    EXPECT_TRUE(status.ok()) << status;
    return Pits(heights, kDrainageCore + 1);
  }

  backend::Backend* backend_ = nullptr;
};

v1::Stage Rivers() {
  v1::Stage stage;
  auto& fluvial = *stage.mutable_fluvial();
  fluvial.set_fills(12);
  fluvial.set_drainage(16);
  fluvial.set_iterations(4);
  fluvial.set_depth(16);
  fluvial.set_silt(4);
  return stage;
}

TEST_P(DrainageTest, RiversLeaveNoPits) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(2U, 8U); ++seed) {
    EXPECT_EQ(PitsAfter({Rivers()}, seed), 0) << "seed " << seed;
  }
}

// The twin: with rain only, pits remain.
TEST_P(DrainageTest, LandWithoutRiversHasPits) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(2U, 8U); ++seed) {
    EXPECT_GT(PitsAfter({}, seed), 10) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, DrainageTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
