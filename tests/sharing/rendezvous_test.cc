#include "server/sharing/rendezvous.h"

#include <gtest/gtest.h>

#include <random>

namespace thalweg::sharing {
namespace {

constexpr std::uint64_t kSeed = 20261201;

TEST(RendezvousTest, RemovingANodeMovesOnlyItsKeys) {
  std::mt19937_64 random(kSeed);
  std::vector<std::uint64_t> nodes(6);
  for (std::uint64_t& node : nodes) node = random();
  for (int n = 0; n < 1'000; ++n) {
    const std::uint64_t key = random();
    const std::size_t lost = random() % nodes.size();
    std::vector<std::uint64_t> rest = nodes;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(lost));
    std::vector<std::uint64_t> expected;
    for (const std::size_t node : RendezvousOrder(key, nodes)) {
      if (node != lost) expected.push_back(nodes[node]);
    }
    std::vector<std::uint64_t> order;
    for (const std::size_t node : RendezvousOrder(key, rest)) order.push_back(rest[node]);
    ASSERT_EQ(order, expected) << "seed " << kSeed << ", key " << key;
  }
}

// Servers of different versions that share memcached servers must look in the same ones.
TEST(RendezvousTest, TheOrderDoesNotChange) {
  const std::vector<std::uint64_t> nodes = {1, 2, 3, 4};
  EXPECT_EQ(RendezvousOrder(0, nodes), (std::vector<std::size_t>{1, 3, 0, 2}));
  EXPECT_EQ(RendezvousOrder(0x0123456789abcdef, nodes), (std::vector<std::size_t>{1, 2, 0, 3}));
}

}  // namespace
}  // namespace thalweg::sharing
