#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "server/field/field.h"

namespace thalweg::field {
namespace {

using world::BlockKey;

constexpr std::uint64_t kSeed = 20261122;
const std::string kWorld = "0123456789abcdef";

std::vector<BlockKey> ManyBlocks() {
  std::mt19937_64 random(kSeed);
  std::vector<BlockKey> blocks;
  for (int n = 0; n < 20'000; ++n) {
    const int level = static_cast<int>(random() % 20);
    const auto coordinate = [&] { return static_cast<std::int64_t>(random() % 4'000) - 2'000; };
    blocks.push_back({static_cast<int>(random() % 6), level, coordinate(), coordinate()});
  }
  return blocks;
}

TEST(DeviceRoutesTest, BlocksAreSpreadEvenly) {
  for (const std::size_t devices : {1U, 2U, 3U, 8U}) {
    const DeviceRoutes routes(devices);
    std::map<std::size_t, int> counts;
    for (const BlockKey& block : ManyBlocks()) ++counts[routes.DeviceOf(kWorld, block)];
    EXPECT_EQ(counts.size(), devices);
    const double share = 20'000.0 / static_cast<double>(devices);
    for (const auto& [device, count] : counts) EXPECT_NEAR(count, share, 0.05 * 20'000) << device;
  }
}

// A view needs many neighbouring blocks: here 16 x 16 of one level.
TEST(DeviceRoutesTest, NeighbouringBlocksAreSpread) {
  for (const std::size_t devices : {2U, 4U}) {
    const DeviceRoutes routes(devices);
    for (int level = 1; level < 12; ++level) {
      std::map<std::size_t, std::size_t> counts;
      for (int n = 0; n < 256; ++n) {
        ++counts[routes.DeviceOf(kWorld, {0, level, -1'000 + n % 16, 500 + n / 16})];
      }
      ASSERT_EQ(counts.size(), devices) << "level " << level;
      for (const auto& [device, count] : counts) {
        EXPECT_EQ(count, 256 / devices) << "level " << level << ", device " << device;
      }
    }
  }
}

TEST(DeviceRoutesTest, SiblingsShareADevice) {
  const DeviceRoutes routes(5);
  for (const BlockKey& block : ManyBlocks()) {
    if (block.level == 0) continue;
    BlockKey sibling = block;
    sibling.x ^= 1;
    sibling.y ^= 1;
    ASSERT_EQ(routes.DeviceOf(kWorld, block), routes.DeviceOf(kWorld, sibling)) << "seed " << kSeed;
  }
}

TEST(DeviceRoutesTest, OnlyTheBlocksOfALostDeviceMove) {
  DeviceRoutes::Clock::time_point now{};
  DeviceRoutes routes(3, [&now] { return now; });
  std::vector<std::size_t> before;
  for (const BlockKey& block : ManyBlocks()) before.push_back(routes.DeviceOf(kWorld, block));
  routes.GiveUp(1);
  std::map<std::size_t, int> moved;
  std::size_t n = 0;
  for (const BlockKey& block : ManyBlocks()) {
    const std::size_t device = routes.DeviceOf(kWorld, block);
    ASSERT_NE(device, 1U);
    if (before[n] != 1) {
      ASSERT_EQ(device, before[n]);
    }
    if (before[n] == 1) ++moved[device];
    ++n;
  }
  // Both other devices get some of the blocks.
  EXPECT_EQ(moved.size(), 2U);
  now += DeviceRoutes::kRest;
  n = 0;
  for (const BlockKey& block : ManyBlocks()) {
    ASSERT_EQ(routes.DeviceOf(kWorld, block), before[n++]) << "after its rest";
  }
}

TEST(DeviceRoutesTest, IfAllDevicesAreLostOneIsTried) {
  DeviceRoutes routes(2);
  routes.GiveUp(0);
  routes.GiveUp(1);
  EXPECT_LT(routes.DeviceOf(kWorld, {0, 3, 1, 1}), 2U);
}

}  // namespace
}  // namespace thalweg::field
