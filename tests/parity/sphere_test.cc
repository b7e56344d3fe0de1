// A planet has no visible seams: a vertex's values depend only on the world and its place on the
// sphere, not on the face whose block it is read from.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "proto/geometry/cube_sphere.h"
#include "tests/parity/backends.h"
#include "tests/parity/chain.h"
#include "tests/parity/compare.h"
#include "tests/parity/faces.h"
#include "tests/parity/random_planet.h"
#include "tests/proto/geometry/continued.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

using backend::Layer;
using sphere::Vertex;

constexpr int kPlanetLevels = 3;
// The finest level of a planet that tests look at.
constexpr int kDeep = 17;
constexpr backend::LayerSet kCompared = {
    Layer::kHeight, Layer::kFlow,    Layer::kWater,    Layer::kSediment, Layer::kUplift,
    Layer::kWear,   Layer::kDeposit, Layer::kWashLoad, Layer::kFraction, Layer::kWay};

backend::RunOptions EveryLayer() {
  backend::RunOptions options;
  options.layers = kCompared;
  return options;
}

// A random planet, and its blocks by a device.
struct Planet {
  Planet(const std::string& device, std::uint64_t seed) : backend(BackendOf(device)) {
    Random random(seed);
    world = RandomPlanet(random, kDeep);
    if (backend != nullptr && world != nullptr) {
      chain.emplace(*backend, world->programs(), kFaceBlock, EveryLayer());
    }
  }

  // Other blocks of the same planet.
  Chain Other(int block_cells, const backend::RunOptions& options = {}) const {
    return Chain(*backend, world->programs(), block_cells, options);
  }

  backend::Backend* backend = nullptr;
  std::shared_ptr<const world::World> world;
  std::optional<Chain> chain;
};

// The planets that tests share, one a device: each level 0 takes seconds.
class SharedPlanets : public testing::Environment {
 public:
  static constexpr std::uint64_t kSeed = 1;

  static std::shared_ptr<Planet> Of(const std::string& device) {
    auto& planet = planets_[device];
    if (planet == nullptr) planet = std::make_shared<Planet>(device, kSeed);
    return planet;
  }

  // Devices end before the program does.
  void TearDown() override { planets_.clear(); }

 private:
  static inline std::map<std::string, std::shared_ptr<Planet>> planets_;
};

const auto* const kSharedPlanets = testing::AddGlobalTestEnvironment(new SharedPlanets);

// The shared planet, and in an exhaustive run others with these seeds too.
std::vector<std::uint64_t> Seeds(std::vector<std::uint64_t> others) {
  if (!IsExhaustive()) return {SharedPlanets::kSeed};
  others.insert(others.begin(), SharedPlanets::kSeed);
  return others;
}

std::shared_ptr<Planet> PlanetOf(const std::string& device, std::uint64_t seed) {
  return seed == SharedPlanets::kSeed ? SharedPlanets::Of(device)
                                      : std::make_shared<Planet>(device, seed);
}

class SphereTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_TRUE(SharedPlanets::Of(GetParam())->chain.has_value()); }

  // How many of a tile's vertices on a side of its face differ between this face and the face
  // beyond. Each face's values are read from its own block.
  int SharedDifferences(Chain& chain, int level, int face, sphere::Side side, std::int64_t tile,
                        Layer layer) {
    const std::int64_t cells = FaceCells(level);
    const auto at = [&](std::int64_t n) {
      const std::int64_t along = tile * kFaceBlock + n;
      switch (side) {
        case sphere::Side::kEast:
          return Vertex{face, cells, along};
        case sphere::Side::kSouth:
          return Vertex{face, along, cells};
        case sphere::Side::kWest:
          return Vertex{face, 0, along};
        case sphere::Side::kNorth:
          return Vertex{face, along, 0};
      }
      return Vertex{};
    };
    const auto here = EdgeOf(chain, level, at(0), at(kFaceBlock), layer);
    const auto there = EdgeOf(chain, level, sphere::Across(at(0), side, cells),
                              sphere::Across(at(kFaceBlock), side, cells), layer);
    int different = 0;
    for (std::size_t n = 0; n < here.size(); ++n) different += here[n] != there[n] ? 1 : 0;
    return different;
  }

  // The values from one vertex of a face to another one in its row or column, in this order, and in
  // the axes of each vertex's owner.
  std::vector<std::int32_t> EdgeOf(Chain& chain, int level, const Vertex& from, const Vertex& to,
                                   Layer layer) {
    const Vertices row{std::min(from.x, to.x), std::min(from.y, to.y),
                       static_cast<int>(std::abs(to.x - from.x)) + 1,
                       static_cast<int>(std::abs(to.y - from.y)) + 1, from.face};
    auto values = chain.Read(level, row, layer);
    for (std::size_t n = 0; n < values.size(); ++n) {
      const auto along = static_cast<std::int64_t>(n);
      const Vertex vertex{row.face, row.width > 1 ? row.x + along : row.x,
                          row.width > 1 ? row.y : row.y + along};
      values[n] = Turned(layer, values[n], -sphere::TurnsFromOwner(vertex, FaceCells(level)));
    }
    if (to.x < from.x || to.y < from.y) std::ranges::reverse(values);
    return values;
  }
};

// A block at a corner of a face; in an exhaustive run also one at another corner, and one on an
// edge.
std::vector<world::BlockKey> BlocksOnEdges(Random& random, int level) {
  const std::int64_t last = (std::int64_t{1} << level) - 1;
  const auto face = [&] { return static_cast<int>(random() % sphere::kFaces); };
  std::vector<world::BlockKey> keys = {{face(), level, last, 0}};
  if (!IsExhaustive()) return keys;
  keys.push_back({face(), level, 0, last});
  if (level > 1) keys.push_back({face(), level, last, 1 + static_cast<std::int64_t>(random() % 2)});
  return keys;
}

TEST_P(SphereTest, FacesAgreeOnTheirEdges) {
  for (const std::uint64_t seed : Seeds({2})) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto planet = PlanetOf(GetParam(), seed);
    Random random(seed);
    const auto shapes = world::BlockShapes(planet->world->programs(), kFaceBlock);
    for (int level = 0; level < kPlanetLevels; ++level) {
      for (const world::BlockKey& key : BlocksOnEdges(random, level)) {
        for (const Layer layer : kCompared.List()) {
          EXPECT_EQ(FaceDifferences(*planet->backend, *planet->chain,
                                    shapes[static_cast<std::size_t>(level)], key, layer),
                    "")
              << "level " << level << " face " << key.face << " layer " << static_cast<int>(layer);
        }
      }
    }
  }
}

// The twin: without exchange over the edges, faces differ.
TEST_P(SphereTest, FacesDifferWithoutExchange) {
  const auto planet = SharedPlanets::Of(GetParam());
  backend::RunOptions options = EveryLayer();
  options.exchange_seams = false;
  Chain chain = planet->Other(kFaceBlock, options);
  const auto shapes = world::BlockShapes(planet->world->programs(), kFaceBlock);
  EXPECT_NE(FaceDifferences(*planet->backend, chain, shapes[1], {0, 1, 1, 0}, Layer::kHeight), "");
}

// A strip along an edge and through a corner, by blocks of several sizes.
TEST_P(SphereTest, BlockSizeCannotBeSeen) {
  for (const std::uint64_t seed : Seeds({5})) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto planet = PlanetOf(GetParam(), seed);
    Random random(seed);
    const int level = kPlanetLevels;
    const int cells = static_cast<int>(FaceCells(level));
    const Vertices strip{cells - 20, 0, 21, FewOrAll(300, 1100),
                         static_cast<int>(random() % sphere::kFaces)};
    const auto expected = planet->chain->Read(level, strip);
    std::vector<int> blocks = {2 * kFaceBlock};
    if (IsExhaustive()) blocks.push_back(4 * kFaceBlock);
    for (const int block : blocks) {
      Chain large = planet->Other(block);
      EXPECT_EQ(Difference(expected, large.Read(level, strip), strip.width), "") << block;
    }
  }
}

// The shrinking window cannot be seen either.
TEST_P(SphereTest, WholeWindowsGiveTheSameBits) {
  backend::RunOptions whole;
  whole.shrink_window = false;
  for (const std::uint64_t seed : Seeds({6})) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto planet = PlanetOf(GetParam(), seed);
    Chain unshrunk = planet->Other(kFaceBlock, whole);
    const int level = kPlanetLevels - 1;
    const int cells = static_cast<int>(FaceCells(level));
    const Vertices corner{cells - 99, 0, 100, 100, 4};
    EXPECT_EQ(
        Difference(planet->chain->Read(level, corner), unshrunk.Read(level, corner), corner.width),
        "");
  }
}

// Which pairs of tiles are looked at: an edge and a corner, or 24 pairs on all
// sides of all faces, or as many as THALWEG_SPHERE_PAIRS says.
std::vector<int> Pairs() {
  const char* const asked = std::getenv("THALWEG_SPHERE_PAIRS");
  if (asked == nullptr && !IsExhaustive()) return {1, 4};
  std::vector<int> pairs(static_cast<std::size_t>(asked != nullptr ? std::atoi(asked) : 24));
  std::iota(pairs.begin(), pairs.end(), 0);
  return pairs;
}

// Tiles that share an edge of two faces, or a corner of three, at any level.
TEST_P(SphereTest, TilesShareTheirVerticesAtEveryLevel) {
  const auto planet = SharedPlanets::Of(GetParam());
  Random random(7);
  // The blocks of only this many pairs are kept at a time: all would fill the memory.
  constexpr std::size_t kKept = 8;
  std::optional<Chain> own;
  const std::vector<int> pairs = Pairs();
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    if (pairs.size() > kKept && at % kKept == 0)
      own.emplace(planet->Other(kFaceBlock, EveryLayer()));
    const int n = pairs[at];
    // Fine and coarse levels in turn.
    const int level = 5 * n % kDeep;
    const std::int64_t tiles = std::int64_t{1} << level;
    const bool corner = n % 5 == 4;
    const auto along =
        corner ? tiles - 1
               : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(tiles));
    const int face = (n / 4) % sphere::kFaces;
    const sphere::Side side = sphere::kSides[static_cast<std::size_t>(n) % 4];
    for (const Layer layer : kCompared.List()) {
      EXPECT_EQ(SharedDifferences(own ? *own : *planet->chain, level, face, side, along, layer), 0)
          << "level " << level << " face " << face << " side " << n % 4 << " tile " << along
          << " layer " << static_cast<int>(layer);
    }
  }
}

// Every backend computes the reference's planet.
class SphereBackendsTest : public testing::TestWithParam<const char*> {};

TEST_P(SphereBackendsTest, Agree) {
  for (const std::uint64_t seed : Seeds({8})) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto by_device = PlanetOf(GetParam(), seed);
    const auto by_reference = PlanetOf("reference", seed);
    for (int level = 0; level < kPlanetLevels; ++level) {
      const Vertices corner{0, 0, 200, 200, 2 + level};
      for (const Layer layer : kCompared.List()) {
        EXPECT_EQ(Difference(by_reference->chain->Read(level, corner, layer),
                             by_device->chain->Read(level, corner, layer), corner.width),
                  "")
            << "level " << level << " layer " << static_cast<int>(layer);
      }
    }
  }
}

// SphereBackendsTest compares the corners of the same planet on every other device.
INSTANTIATE_TEST_SUITE_P(Devices, SphereTest, kDevicesOfLaws, NameOfDevice);
INSTANTIATE_TEST_SUITE_P(Devices, SphereBackendsTest, kComparedDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
