// Runs in any number of parts make the same bits, also where a dispatch is cut between its rows.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_planet.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

constexpr int kPartsBlock = 64;

// All layers of a finest level's block that is computed in this many parts, and its ancestors too.
std::vector<std::int32_t> InSoManyParts(backend::Backend& backend, const world::World& world,
                                        int parts) {
  Chain chain(backend, world.programs(), kPartsBlock,
              {.layers = backend::LayerSet::All(), .parts = parts});
  std::vector<std::int32_t> values;
  for (const backend::Layer layer : world.layers().List()) {
    // On a planet this is a face's corner.
    const auto plane = chain.Read(world.levels() - 1, {0, 0, kPartsBlock, kPartsBlock, 0}, layer);
    values.insert(values.end(), plane.begin(), plane.end());
  }
  return values;
}

class PartsParityTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, PartsParityTest, kDevices, NameOfDevice);

TEST_P(PartsParityTest, TheNumberOfPartsDoesNotChangeTheBits) {
  backend::Backend* const backend = BackendOf(GetParam());
  ASSERT_NE(backend, nullptr);
  for (std::uint64_t seed = 0; seed < FewOrAll(8u, 24u); ++seed) {
    Random random(seed);
    const auto world = seed % 4 == 3 ? RandomPlanet(random, 2) : RandomWorld(random, 3, 8);
    const auto whole = InSoManyParts(*backend, *world, 0);
    const int parts = std::uniform_int_distribution<int>(2, 150)(random);
    EXPECT_EQ(Difference(InSoManyParts(*backend, *world, parts), whole, kPartsBlock), "")
        << "seed " << seed << ", " << parts << " parts";
  }
}

}  // namespace
}  // namespace thalweg::parity
