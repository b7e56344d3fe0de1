// The hashes of lattice points that all terrain begins with.
#include "shaders/kernels/hash.glsl"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace thalweg::stages {
namespace {

// Noise whose hash left out a bit would be the same at two places of a world, perhaps far apart.
TEST(HashTest, EveryBitOfACoordinateCounts) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 100; ++n) {
    const auto hash = static_cast<kernels::uint>(random());
    const auto coordinate = static_cast<std::int64_t>(random());
    for (int bit = 0; bit < 64; ++bit) {
      const auto other = static_cast<std::int64_t>(static_cast<std::uint64_t>(coordinate) ^
                                                   (std::uint64_t{1} << bit));
      EXPECT_NE(kernels::hashOn(hash, coordinate), kernels::hashOn(hash, other)) << "bit " << bit;
    }
  }
}

TEST(HashTest, SeedAndStreamCount) {
  std::mt19937_64 random(2);
  for (int n = 0; n < 100; ++n) {
    const auto low = static_cast<kernels::uint>(random());
    const auto high = static_cast<kernels::uint>(random());
    const auto hash = kernels::hashStream({low, high}, 5);
    EXPECT_NE(hash, kernels::hashStream({low, high}, 6));
    for (int bit = 0; bit < 32; ++bit) {
      EXPECT_NE(hash, kernels::hashStream({low ^ (1U << bit), high}, 5)) << "bit " << bit;
      EXPECT_NE(hash, kernels::hashStream({low, high ^ (1U << bit)}, 5)) << "bit " << bit;
    }
  }
}

}  // namespace
}  // namespace thalweg::stages
