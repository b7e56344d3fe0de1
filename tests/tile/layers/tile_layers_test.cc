#include "server/tile/layers/tile_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

#include "proto/wire/layer_facts.h"
#include "proto/wire/tile_key.h"
#include "server/tile/layers/tile_ground.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

using backend::Layer;
using backend::LayerSet;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr std::size_t kSide = wire::kTileVertices;

TEST(LayersOfTest, LayersNeedTheirSources) {
  EXPECT_EQ(LayersOf(LayerSet::All()), wire::AllLayers());
  EXPECT_THAT(LayersOf({}), ElementsAre(v1::LAYER_HEIGHT, v1::LAYER_FLOW, v1::LAYER_NORMAL,
                                        v1::LAYER_SLOPE, v1::LAYER_COVER));
  EXPECT_THAT(LayersOf({Layer::kWater}),
              IsSupersetOf({v1::LAYER_WATER_LEVEL, v1::LAYER_WATER_DEPTH}));
  EXPECT_THAT(LayersOf({Layer::kWater}), Not(Contains(v1::LAYER_SHORE_DISTANCE)));
  EXPECT_THAT(LayersOf({Layer::kWater, Layer::kShore}),
              IsSupersetOf({v1::LAYER_SHORE_DISTANCE, v1::LAYER_SHORE_DIRECTION}));
  EXPECT_THAT(LayersOf({Layer::kVegetation}), Contains(v1::LAYER_VEGETATION));
}

TEST(SourcesOfTest, ContainEachOnceAndTheLargestMargin) {
  const Sources sources = SourcesOf(
      {v1::LAYER_FLOW, v1::LAYER_WATER_DEPTH, v1::LAYER_WATER_LEVEL, v1::LAYER_SHORE_DISTANCE});
  EXPECT_THAT(sources.layers,
              ElementsAre(Layer::kFlow, Layer::kWater, Layer::kHeight, Layer::kShore));
  EXPECT_EQ(sources.margin, 0);
  EXPECT_EQ(SourcesOf({v1::LAYER_FLOW, v1::LAYER_SLOPE}).margin, 1);
}

// Random planes with a margin. Some values are the smallest or largest possible.
class MakeLayerTest : public testing::TestWithParam<int> {
 protected:
  MakeLayerTest() {
    sources_.margin = GetParam();
    sources_.layers = {Layer::kShore, Layer::kHeight, Layer::kWater,
                       Layer::kWear,  Layer::kFlow,   Layer::kSediment};
    const std::size_t side = Side();
    for (std::size_t l = 0; l < sources_.layers.size(); ++l) {
      auto& plane = values_.planes.emplace_back(side * side);
      for (std::int32_t& value : plane) {
        value = random_() % 50 == 0 ? (random_() % 2 == 0 ? INT32_MIN : INT32_MAX)
                                    : static_cast<std::int32_t>(random_() % (1 << 24));
      }
    }
    for (std::size_t k = 0; k < side * side; ++k) {
      // Half of the vertices are dry. A third have no shore; others have one nearby.
      if (random_() % 2 == 0) values_.planes[2][k] = values_.planes[1][k];
      const auto reach = [this] { return static_cast<std::uint16_t>(random_() % 80 - 40); };
      values_.planes[0][k] = static_cast<std::int32_t>(
          random_() % 3 == 0 ? 0x80008000U : std::uint32_t{reach()} | std::uint32_t{reach()} << 16);
    }
  }

  std::size_t Side() const { return kSide + 2 * static_cast<std::size_t>(GetParam()); }

  std::vector<std::int32_t> Made(v1::Layer layer, bool rounded = false) const {
    std::vector<std::int32_t> scratch;
    const auto made = MakeLayer(layer, {sources_, values_, *world_, kKey, rounded}, scratch);
    return {made.begin(), made.end()};
  }

  // The value of a source's plane, by the tile's vertices.
  std::int32_t At(std::size_t plane, std::size_t x, std::size_t y, int dx = 0, int dy = 0) const {
    const auto margin = static_cast<std::size_t>(GetParam());
    return values_.planes[plane][(y + margin + static_cast<std::size_t>(dy)) * Side() + x + margin +
                                 static_cast<std::size_t>(dx)];
  }

  static constexpr wire::TileKey kKey{0, 5, 5, -3};
  const std::shared_ptr<const world::World> world_ = field::TestWorld();
  const double cell_units_ = world::CellHeightUnits(world_->level(kKey.level).cell_size_m);
  std::mt19937_64 random_{20261120};
  Sources sources_;
  field::TileValues values_;
};

TEST_P(MakeLayerTest, PlainLayersEqualTheirSource) {
  const auto wear = Made(v1::LAYER_WEAR);
  ASSERT_EQ(wear.size(), kSide * kSide);
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) ASSERT_EQ(wear[y * kSide + x], At(3, x, y));
  }
}

TEST_P(MakeLayerTest, DepthIsTheLevelMinusTheHeight) {
  const auto depth = Made(v1::LAYER_WATER_DEPTH);
  std::size_t wet = 0;
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const std::int64_t exact = std::int64_t{At(2, x, y)} - At(1, x, y);
      ASSERT_EQ(depth[y * kSide + x], std::clamp<std::int64_t>(exact, 0, INT32_MAX));
      wet += exact > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(wet, 1'000U);
}

TEST_P(MakeLayerTest, ShoresAreMeasuredFromLandAndWater) {
  const auto distance = Made(v1::LAYER_SHORE_DISTANCE);
  const auto direction = Made(v1::LAYER_SHORE_DIRECTION);
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      ASSERT_EQ(distance[y * kSide + x], ShoreDistance(At(0, x, y), At(2, x, y) > At(1, x, y)));
      ASSERT_EQ(direction[y * kSide + x], ShoreDirection(At(0, x, y)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Margins, MakeLayerTest, testing::Values(0, 1));

using MakeDerivativeTest = MakeLayerTest;

TEST_P(MakeDerivativeTest, AreThoseOfCentralDifferences) {
  const auto slope = Made(v1::LAYER_SLOPE);
  const auto normal = Made(v1::LAYER_NORMAL);
  const auto rounded = Made(v1::LAYER_NORMAL, true);
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const Rise rise{static_cast<double>(At(1, x, y, 1, 0)) - At(1, x, y, -1, 0),
                      static_cast<double>(At(1, x, y, 0, 1)) - At(1, x, y, 0, -1)};
      const std::size_t k = y * kSide + x;
      ASSERT_EQ(slope[k], SlopeOf(rise, 2 * cell_units_));
      ASSERT_EQ(normal[k], NormalOf(rise, 2 * cell_units_));
      ASSERT_EQ(rounded[k], RoundedNormalOf(rise, 2 * cell_units_));
    }
  }
}

// An inclined plane has its slope and its normal everywhere, also at the tile's corners.
TEST_P(MakeDerivativeTest, AreThoseOfAPlaneEverywhere) {
  for (std::size_t y = 0; y < Side(); ++y) {
    for (std::size_t x = 0; x < Side(); ++x) {
      values_.planes[1][y * Side() + x] = static_cast<std::int32_t>(
          0.75 * cell_units_ * static_cast<double>(x) - 1.0 * cell_units_ * static_cast<double>(y));
    }
  }
  const double length = std::sqrt(1 + 0.75 * 0.75 + 1);
  for (const std::int32_t slope : Made(v1::LAYER_SLOPE)) ASSERT_EQ(slope, 1.25 * 65536);
  for (const std::int32_t normal : Made(v1::LAYER_NORMAL)) {
    ASSERT_NEAR(static_cast<std::int16_t>(normal & 0xFFFF), -0.75 / length * 32767, 0.51);
    ASSERT_NEAR(normal >> 16, 1.0 / length * 32767, 0.51);
  }
}

// The last column of a tile is the first one of its eastern neighbour.
TEST_P(MakeDerivativeTest, CoverHasNoSeams) {
  for (auto& plane : values_.planes) {
    for (std::int32_t& value : plane) value = std::abs(value % (1 << 22));
  }
  const auto west = Made(v1::LAYER_COVER);
  field::TileValues moved = values_;
  const std::size_t side = Side();
  for (std::size_t l = 0; l < moved.planes.size(); ++l) {
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < 3; ++x) {
        moved.planes[l][y * side + x] = values_.planes[l][y * side + x + wire::kTileCells];
      }
    }
  }
  const auto edge_of = [&](const wire::TileKey& key) {
    std::vector<std::int32_t> scratch;
    MakeLayer(v1::LAYER_COVER, {sources_, moved, *world_, key, false}, scratch);
    std::vector<std::int32_t> edge;
    for (std::size_t y = 0; y < kSide; ++y) edge.push_back(scratch[y * kSide]);
    return edge;
  };
  std::vector<std::int32_t> expected;
  for (std::size_t y = 0; y < kSide; ++y) expected.push_back(west[y * kSide + wire::kTileCells]);
  EXPECT_EQ(edge_of({kKey.face, kKey.level, kKey.x + 1, kKey.y}), expected);
  // The twin: elsewhere the same ground has another cover.
  EXPECT_NE(edge_of({kKey.face, kKey.level, kKey.x + 7, kKey.y}), expected);
}

INSTANTIATE_TEST_SUITE_P(WithMargin, MakeDerivativeTest, testing::Values(1));

// A plane, or a planet if it has a radius; with a sea and a climate.
std::shared_ptr<const world::World> CoveredWorld(double radius_m) {
  v1::WorldSpec spec;
  spec.set_name("covered");
  spec.set_seed(11);
  spec.set_levels(14);
  if (radius_m > 0) {
    spec.mutable_sphere()->set_radius_m(radius_m);
  } else {
    spec.set_cell_size_m(4096);
  }
  spec.mutable_base()->set_constant(1);
  spec.add_rules();
  spec.set_sea_level_m(0);
  const auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return *world;
}

// Ground that is steeper towards the east and higher towards the south; with lakes, brooks and
// rivers, and a sea in the north.
field::TileValues VariedGround(int level) {
  std::mt19937_64 random(static_cast<std::uint64_t>(level) + 1);
  field::TileValues values;
  values.planes.resize(4);
  for (int y = -1; y <= wire::kTileVertices; ++y) {
    for (int x = -1; x <= wire::kTileVertices; ++x) {
      const auto rough = static_cast<std::int32_t>(random() % (1U << (10 + (x + 1) / 20)));
      const std::int32_t height = (y - 40) * (1 << (22 - level)) / 4 + rough;
      values.planes[0].push_back(height);
      values.planes[1].push_back(static_cast<std::int32_t>(random() % (1ULL << (8 + y % 24))));
      const bool lake = random() % 9 == 0;
      const std::int32_t water = height + static_cast<std::int32_t>(random() % (1U << 20));
      values.planes[2].push_back(lake ? water : std::max(height, 0));
      // Loose ground, which levels don't read that guess where rock is from slopes.
      values.planes[3].push_back(x * (1 << 10));
    }
  }
  return values;
}

struct CoverBits {
  double radius_m;
  std::array<std::uint64_t, 4> digests;  // of levels 0, 4, 8 and 12
};
class MakeCoverTest : public testing::TestWithParam<CoverBits> {};

// No change of code may change the cover of a world that exists.
TEST_P(MakeCoverTest, KeepsItsBits) {
  const auto world = CoveredWorld(GetParam().radius_m);
  const Sources sources{{Layer::kHeight, Layer::kFlow, Layer::kWater, Layer::kSediment}, 1};
  for (std::size_t n = 0; n < GetParam().digests.size(); ++n) {
    const int level = static_cast<int>(4 * n);
    const field::TileValues values = VariedGround(level);
    // FNV-1a over the values of four tiles.
    std::uint64_t digest = 0xcbf29ce484222325;
    for (int tile = 0; tile < 4; ++tile) {
      const wire::TileKey key{tile % 2 == 1 && GetParam().radius_m > 0 ? 3 : 0, level,
                              tile * ((1 << level) - 1) / 3, tile / 2 * ((1 << level) - 1)};
      std::vector<std::int32_t> scratch;
      const auto cover =
          MakeLayer(v1::LAYER_COVER, {sources, values, *world, key, tile % 2 == 0}, scratch);
      for (const std::int32_t value : cover) {
        digest = (digest ^ static_cast<std::uint32_t>(value)) * 0x100000001b3;
      }
    }
    EXPECT_EQ(digest, GetParam().digests[n]) << "level " << level << std::hex << " 0x" << digest;
  }
}

INSTANTIATE_TEST_SUITE_P(OnAPlane, MakeCoverTest,
                         testing::Values(CoverBits{0,
                                                   {0x777769eb3967e0d5, 0xea306dbf72cc34c5,
                                                    0x58297d60c5fd4d61, 0x156ec084a6104866}}));
INSTANTIATE_TEST_SUITE_P(OnAPlanet, MakeCoverTest,
                         testing::Values(CoverBits{6'000'000,
                                                   {0xbb5f1a08c2af11a5, 0x2c918be214729b8f,
                                                    0x90c040ae9af0bc90, 0xb8c41abad4802a7a}}));

}  // namespace
}  // namespace thalweg::tile
