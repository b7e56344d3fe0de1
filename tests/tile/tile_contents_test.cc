#include "server/tile/tile_contents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "proto/wire/layer_facts.h"
#include "proto/wire/tile_codec.h"
#include "server/tile/layers/tile_layers.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

TileQuery QueryOf(v1::Precision precision,
                  const std::vector<v1::Layer>& asked = {v1::LAYER_FLOW, v1::LAYER_HEIGHT}) {
  TileQuery query;
  query.world = field::TestWorld();
  query.key = {0, 2, -3, 5};
  google::protobuf::RepeatedField<int> layers;
  for (const v1::Layer layer : asked) layers.Add(layer);
  query.layers = *LayerChoice::Parse(layers);
  query.precision = precision;
  return query;
}

field::TileValues ValuesOf(const TileQuery& query) {
  field::TileValues values;
  values.geometric_error = 12'345;
  const Sources sources = SourcesOf(query.layers.List());
  const int side = wire::kTileVertices + 2 * sources.margin;
  for (const backend::Layer layer : sources.layers) {
    auto& plane = values.planes.emplace_back();
    for (int k = 0; k < side * side; ++k) {
      plane.push_back(field::FakeValue(1, 2, layer, k, 0) >> 8);
    }
  }
  return values;
}

v1::Tile Decoded(const std::string& bytes) {
  v1::Tile tile;
  EXPECT_TRUE(tile.ParseFromString(bytes));
  return tile;
}

TEST(TileEncoderTest, SaysWhatTheTileIs) {
  const TileQuery query = QueryOf(v1::PRECISION_EXACT);
  const v1::Tile tile = Decoded(*EncodeTile(query, ValuesOf(query)).bytes);
  EXPECT_EQ(FromProto(tile.key()), query.key);
  EXPECT_EQ(tile.world_id(), query.world->id());
  EXPECT_EQ(tile.generator_version(), world::kGeneratorVersion);
  EXPECT_EQ(tile.geometric_error(), 12'345U);
  ASSERT_EQ(tile.layers_size(), 2);
  EXPECT_EQ(tile.layers(0).layer(), v1::LAYER_HEIGHT);
  EXPECT_EQ(tile.layers(1).layer(), v1::LAYER_FLOW);
}

TEST(TileEncoderTest, KeepsExactValues) {
  const TileQuery query = QueryOf(v1::PRECISION_EXACT);
  const field::TileValues values = ValuesOf(query);
  const v1::Tile tile = Decoded(*EncodeTile(query, values).bytes);
  for (int k = 0; k < tile.layers_size(); ++k) {
    const v1::TileLayer& layer = tile.layers(k);
    const auto& plane = values.planes[static_cast<std::size_t>(k)];
    EXPECT_EQ(layer.lattice_shift(), 0U);
    EXPECT_EQ(layer.min(), *std::min_element(plane.begin(), plane.end()));
    EXPECT_EQ(layer.max(), *std::max_element(plane.begin(), plane.end()));
    const auto decoded =
        wire::DecodeLayer(layer.data(), wire::kTileVertices, wire::kTileVertices, 0);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(*decoded, plane);
  }
}

TEST(TileEncoderTest, RoundsHeightsToTheLevelsLattice) {
  const TileQuery query = QueryOf(v1::PRECISION_LATTICE);
  const field::TileValues values = ValuesOf(query);
  const v1::Tile tile = Decoded(*EncodeTile(query, values).bytes);
  const int shift = world::LatticeShift(query.world->level(2).cell_size_m);
  ASSERT_GT(shift, 0);
  EXPECT_EQ(tile.layers(0).lattice_shift(), static_cast<std::uint32_t>(shift));
  EXPECT_EQ(tile.layers(1).lattice_shift(), 0U);
  const auto decoded =
      wire::DecodeLayer(tile.layers(0).data(), wire::kTileVertices, wire::kTileVertices, shift);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  for (std::size_t k = 0; k < decoded->size(); ++k) {
    ASSERT_EQ((*decoded)[k], wire::RoundToLattice(values.planes[0][k], shift));
  }
}

std::vector<std::int32_t> ValuesOfLayer(const v1::Tile& tile, v1::Layer wanted) {
  for (const v1::TileLayer& layer : tile.layers()) {
    if (layer.layer() != wanted) continue;
    const auto values = wire::DecodeLayer(layer.data(), wire::kTileVertices, wire::kTileVertices,
                                          static_cast<int>(layer.lattice_shift()));
    EXPECT_TRUE(values.ok()) << values.status();
    return values.ok() ? *values : std::vector<std::int32_t>();
  }
  ADD_FAILURE() << "no layer " << v1::Layer_Name(wanted);
  return {};
}

// Only surfaces and slopes have a lattice shift.
TEST(TileEncoderTest, RoundsTheLayersThatTheProtocolNames) {
  for (const v1::Precision precision : {v1::PRECISION_LATTICE, v1::PRECISION_EXACT}) {
    const TileQuery query = QueryOf(precision, wire::AllLayers());
    const int surface = world::LatticeShift(query.world->level(2).cell_size_m);
    const v1::Tile tile = Decoded(*EncodeTile(query, ValuesOf(query)).bytes);
    ASSERT_EQ(tile.layers_size(), static_cast<int>(wire::AllLayers().size()));
    for (const v1::TileLayer& layer : tile.layers()) {
      int expected = 0;
      if (layer.layer() == v1::LAYER_SLOPE) expected = 6;
      if (layer.layer() == v1::LAYER_HEIGHT || layer.layer() == v1::LAYER_WATER_LEVEL) {
        expected = surface;
      }
      if (precision == v1::PRECISION_EXACT) expected = 0;
      EXPECT_EQ(static_cast<int>(layer.lattice_shift()), expected) << v1::Layer_Name(layer.layer());
    }
  }
}

// A lake over rough ground. When values are rounded, its surface stays flat, the surface of dry
// ground stays the height, and the depth is that of the exact surfaces.
TEST(TileEncoderTest, RoundedLakesStayFlatAndTheirDepthExact) {
  const TileQuery query = QueryOf(v1::PRECISION_LATTICE,
                                  {v1::LAYER_HEIGHT, v1::LAYER_WATER_LEVEL, v1::LAYER_WATER_DEPTH});
  field::TileValues exact = ValuesOf(query);
  const Sources sources = SourcesOf(query.layers.List());
  ASSERT_EQ(sources.layers, (std::vector{backend::Layer::kHeight, backend::Layer::kWater}));
  std::vector<std::int32_t>& ground = exact.planes[0];
  const std::int32_t lake = ground[1'000] + 77;
  for (std::size_t k = 0; k < ground.size(); ++k) exact.planes[1][k] = std::max(ground[k], lake);
  const v1::Tile tile = Decoded(*EncodeTile(query, exact).bytes);
  const auto height = ValuesOfLayer(tile, v1::LAYER_HEIGHT);
  const auto level = ValuesOfLayer(tile, v1::LAYER_WATER_LEVEL);
  const auto depth = ValuesOfLayer(tile, v1::LAYER_WATER_DEPTH);
  const std::int32_t rounded =
      wire::RoundToLattice(lake, world::LatticeShift(query.world->level(2).cell_size_m));
  std::size_t wet = 0;
  for (std::size_t k = 0; k < ground.size(); ++k) {
    ASSERT_EQ(depth[k], std::max(lake - ground[k], 0));
    ASSERT_EQ(level[k], depth[k] > 0 ? rounded : height[k]);
    wet += depth[k] > 0 ? 1 : 0;
  }
  EXPECT_GT(wet, 0U);
  EXPECT_LT(wet, ground.size());
}

}  // namespace
}  // namespace thalweg::tile
