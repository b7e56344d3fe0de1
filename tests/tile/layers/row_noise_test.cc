// Noise along rows has the bits of the kernels' own functions.
#include "server/tile/layers/row_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "server/stages/noise_lattice.h"

namespace thalweg::tile {
namespace {

using kernels::Place;

// Rows of all kinds: vertices one after the other from anywhere, the same in any order, and places
// that are far apart.
class Rows {
 public:
  explicit Rows(std::uint64_t seed) : random_(seed) {}

  std::uint32_t Number() { return static_cast<std::uint32_t>(random_()); }
  double WavelengthCells() { return std::exp2(std::uniform_real_distribution(1.5, 30.0)(random_)); }

  std::vector<Place> Next() {
    const auto coordinate = [&] {
      return static_cast<std::int64_t>(random_()) >> (14 + random_() % 40);
    };
    const std::int64_t step = static_cast<std::int64_t>(random_() % 512);
    const Place from{coordinate(), coordinate(), coordinate()};
    std::vector<Place> row;
    const std::int64_t count = static_cast<std::int64_t>(random_() % 300);
    for (std::int64_t k = 0; k < count; ++k) {
      row.push_back({from.x + k * step, from.y + k * 100, from.z - k * 170});
    }
    const auto kind = random_() % 4;
    if (kind == 0) std::shuffle(row.begin(), row.end(), random_);
    if (kind == 1) {
      for (Place& place : row) place = {coordinate(), coordinate(), coordinate()};
    }
    return row;
  }

 private:
  std::mt19937_64 random_;
};

constexpr std::uint64_t kSeeds = 60;
constexpr int kRowsOfALattice = 6;

TEST(PlaneNoiseTest, HasTheBitsOfGradientNoise) {
  for (std::uint64_t n = 0; n < kSeeds; ++n) {
    Rows rows(n);
    const auto lattice =
        stages::TurnedLattice(rows.WavelengthCells(), rows.Number(), rows.Number());
    const kernels::uvec2 seed{rows.Number(), rows.Number()};
    PlaneNoise noise(lattice, seed);
    for (int row = 0; row < kRowsOfALattice; ++row) {
      const std::vector<Place> places = rows.Next();
      const std::span<const float> found = noise.At(places);
      ASSERT_EQ(found.size(), places.size());
      for (std::size_t k = 0; k < places.size(); ++k) {
        ASSERT_EQ(found[k], kernels::gradientNoise(places[k], lattice, seed))
            << "seed " << n << ", row " << row << ", place " << k;
      }
    }
  }
}

TEST(SpaceNoiseTest, HasTheBitsOfTheShadersNoise) {
  for (std::uint64_t n = 0; n < kSeeds; ++n) {
    Rows rows(n);
    const auto lattice = stages::SpaceLattice(rows.WavelengthCells(), rows.Number(), rows.Number());
    const kernels::uvec2 seed{rows.Number(), rows.Number()};
    SpaceNoise<1> one(lattice, seed);
    SpaceNoise<2> two(lattice, seed);
    for (int row = 0; row < kRowsOfALattice; ++row) {
      const std::vector<Place> places = rows.Next();
      const auto [only] = one.At(places);
      const auto [first, second] = two.At(places);
      ASSERT_EQ(only.size(), places.size());
      for (std::size_t k = 0; k < places.size(); ++k) {
        const kernels::vec3 noises = kernels::spaceNoises(places[k], lattice, seed);
        ASSERT_EQ(only[k], noises.x) << "seed " << n << ", row " << row << ", place " << k;
        ASSERT_EQ(first[k], noises.x) << "seed " << n << ", row " << row << ", place " << k;
        ASSERT_EQ(second[k], noises.y) << "seed " << n << ", row " << row << ", place " << k;
      }
    }
  }
}

}  // namespace
}  // namespace thalweg::tile
