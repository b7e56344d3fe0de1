#include "server/tile/tile_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "proto/wire/tile_codec.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

TileQuery QueryOf(v1::Precision precision) {
  TileQuery query;
  query.world = field::TestWorld();
  query.key = {0, 2, -3, 5};
  google::protobuf::RepeatedField<int> layers;
  layers.Add(v1::LAYER_FLOW);
  layers.Add(v1::LAYER_HEIGHT);
  query.layers = *LayerChoice::Parse(layers);
  query.precision = precision;
  return query;
}

field::TileValues ValuesOf(const TileQuery& query) {
  field::TileValues values;
  values.geometric_error = 12'345;
  for (const v1::Layer layer : query.layers.List()) {
    auto& plane = values.planes.emplace_back();
    for (int k = 0; k < wire::kTileVertices * wire::kTileVertices; ++k) {
      plane.push_back(field::FakeValue(1, 2, BackendLayer(layer), k, 0) >> 8);
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
  const v1::Tile tile = Decoded(EncodeTile(query, ValuesOf(query)));
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
  const v1::Tile tile = Decoded(EncodeTile(query, values));
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
  const v1::Tile tile = Decoded(EncodeTile(query, values));
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

}  // namespace
}  // namespace thalweg::tile
