// The world's curve is applied to the heights of tiles, both in bytes and in contents.
#include <gtest/gtest.h>

#include <random>

#include "proto/wire/tile_codec.h"
#include "server/tile/layers/tile_ground.h"
#include "server/tile/tile_contents.h"
#include "server/world/height_curve.h"

namespace thalweg::tile {
namespace {

TileQuery SteppedQuery(bool curved) {
  v1::WorldSpec spec;
  spec.set_name("steps");
  spec.set_sea_level_m(0);
  spec.mutable_base()->set_constant(1);
  spec.add_rules();
  if (curved) {
    spec.mutable_height_curve()->add_points();
    v1::Point& high = *spec.mutable_height_curve()->add_points();
    high.set_in(10);
    high.set_out(100);
  }
  const auto world = world::World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  TileQuery query;
  query.world = *world;
  query.precision = v1::PRECISION_EXACT;
  query.layers.Add(v1::LAYER_FLOW);
  query.layers.Add(v1::LAYER_WATER_LEVEL);
  return query;
}

// Random heights, flow and water, in the order of the query's sources.
field::TileValues RandomValues(const TileQuery& query) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<std::int32_t> height(-10 * 65'536, 20 * 65'536);
  field::TileValues values;
  for (std::size_t k = 0; k < SourcesOf(query.layers.List()).layers.size(); ++k) {
    auto& plane = values.planes.emplace_back(wire::kTileVertices * wire::kTileVertices);
    for (std::int32_t& value : plane) value = height(random);
  }
  return values;
}

class ShownHeightsTest : public testing::TestWithParam<bool> {};

TEST_P(ShownHeightsTest, TheCurveAppliesOnlyToGroundAndWater) {
  const TileQuery query = SteppedQuery(GetParam());
  const field::TileValues values = RandomValues(query);
  const Sources sources = SourcesOf(query.layers.List());
  const auto curve = query.world->level(0).height_curve();
  EXPECT_EQ(curve.empty(), !GetParam());
  const ShownValues shown(*query.world, query.key.level, sources, values);
  for (std::size_t k = 0; k < sources.layers.size(); ++k) {
    std::vector<std::int32_t> expected = values.planes[k];
    if (sources.layers[k] != backend::Layer::kFlow) {
      for (std::int32_t& height : expected) height = world::ShownHeight(height, curve);
    }
    EXPECT_TRUE(shown.get().planes[k] == expected) << k;
    // The twin: the curve changes heights.
    const bool is_height = sources.layers[k] != backend::Layer::kFlow;
    EXPECT_EQ(expected != values.planes[k], GetParam() && is_height) << k;
  }
}

TEST_P(ShownHeightsTest, BytesAndNumbersAreTheSame) {
  const TileQuery query = SteppedQuery(GetParam());
  const auto values = std::make_shared<const field::TileValues>(RandomValues(query));
  const auto from_values = TileContents(values).Planes(query);
  const auto from_bytes = TileContents(EncodeTile(query, *values)).Planes(query);
  ASSERT_TRUE(from_values.ok() && from_bytes.ok()) << from_values.status() << from_bytes.status();
  EXPECT_TRUE(*from_values == *from_bytes);
  EXPECT_EQ(from_values->front() != values->planes.front(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Curves, ShownHeightsTest, testing::Bool());

}  // namespace
}  // namespace thalweg::tile
