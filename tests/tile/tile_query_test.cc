#include "server/tile/tile_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "proto/wire/layer_facts.h"
#include "server/tile/layers/tile_layers.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

google::protobuf::RepeatedField<int> Layers(std::initializer_list<int> layers) {
  return {layers.begin(), layers.end()};
}

TEST(LayerChoiceTest, AnEmptyChoiceMeansHeight) {
  const auto choice = LayerChoice::Parse(Layers({}));
  ASSERT_TRUE(choice.ok());
  EXPECT_THAT(choice->List(), ElementsAre(v1::LAYER_HEIGHT));
}

TEST(LayerChoiceTest, OrdersLayers) {
  const auto choice = LayerChoice::Parse(Layers({v1::LAYER_UPLIFT, v1::LAYER_FLOW}));
  ASSERT_TRUE(choice.ok());
  EXPECT_THAT(choice->List(), ElementsAre(v1::LAYER_FLOW, v1::LAYER_UPLIFT));
}

TEST(LayerChoiceTest, RejectsUnknownAndRepeatedLayers) {
  for (const int layer : {0, -1, v1::Layer_MAX + 1, 33, 1'000}) {
    const auto choice = LayerChoice::Parse(Layers({v1::LAYER_HEIGHT, layer}));
    EXPECT_EQ(choice.status().code(), absl::StatusCode::kInvalidArgument) << layer;
    EXPECT_THAT(std::string(choice.status().message()), HasSubstr(std::to_string(layer)));
  }
  const auto twice = LayerChoice::Parse(Layers({v1::LAYER_FLOW, v1::LAYER_HEIGHT, v1::LAYER_FLOW}));
  EXPECT_EQ(twice.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(twice.status().message()), HasSubstr("LAYER_FLOW"));
}

TEST(TileQueryTest, ReadsEveryField) {
  v1::GetTileRequest request;
  *request.mutable_key() = ToProto({0, 3, -5, 1LL << 39});
  request.add_layers(v1::LAYER_FLOW);
  request.set_precision(v1::PRECISION_EXACT);
  request.set_priority(v1::PRIORITY_BAKE);
  const auto query = ParseTileQuery(field::TestWorld(), request);
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_EQ(query->key, (wire::TileKey{0, 3, -5, 1LL << 39}));
  EXPECT_THAT(query->layers.List(), ElementsAre(v1::LAYER_FLOW));
  EXPECT_EQ(query->precision, v1::PRECISION_EXACT);
  EXPECT_EQ(query->priority, field::Priority::kBake);
}

TEST(TileQueryTest, UnsetFieldsHaveDefaults) {
  v1::GetTileRequest request;
  const auto query = ParseTileQuery(field::TestWorld(), request);
  request.set_precision(v1::PRECISION_LATTICE);
  request.set_priority(v1::PRIORITY_INTERACTIVE);
  const auto specified = ParseTileQuery(field::TestWorld(), request);
  ASSERT_TRUE(query.ok() && specified.ok()) << query.status() << specified.status();
  EXPECT_EQ(query->precision, v1::PRECISION_LATTICE);
  EXPECT_EQ(query->priority, field::Priority::kInteractive);
  EXPECT_EQ(specified->precision, query->precision);
  EXPECT_EQ(specified->priority, query->priority);
  EXPECT_EQ(IdOf(*specified), IdOf(*query));
  EXPECT_EQ(TagOf(*specified), TagOf(*query));
}

TEST(TileQueryTest, RejectsMissingLayersAndNamesTheAvailableOnes) {
  v1::GetTileRequest request;
  request.add_layers(v1::LAYER_HEIGHT);
  request.add_layers(v1::LAYER_WATER_DEPTH);
  const absl::Status status = ParseTileQuery(field::TestWorld(), request).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "invalid layer: expected one that world 'test-1' has: LAYER_HEIGHT, LAYER_FLOW, "
            "LAYER_WASH_LOAD, LAYER_UPLIFT, LAYER_SEDIMENT, LAYER_WEAR, LAYER_DEPOSIT, "
            "LAYER_NORMAL, LAYER_SLOPE, LAYER_COVER, got LAYER_WATER_DEPTH");
  EXPECT_TRUE(ParseTileQuery(field::WaterWorld(), request).ok());
}

TEST(TileQueryTest, TheIdDiffersForEverySetOfLayers) {
  std::set<std::uint32_t> seen;
  TileQuery query;
  query.world = field::WaterWorld();
  for (const v1::Layer first : wire::AllLayers()) {
    for (const v1::Layer second : wire::AllLayers()) {
      if (second < first) continue;
      google::protobuf::RepeatedField<int> layers = Layers({first});
      if (second != first) layers.Add(second);
      query.layers = *LayerChoice::Parse(layers);
      EXPECT_TRUE(seen.insert(IdOf(query).layers).second) << first << ", " << second;
    }
  }
}

TEST(TileQueryTest, RejectsKeysOutOfRange) {
  v1::GetTileRequest request;
  request.mutable_key()->set_level(6);
  EXPECT_EQ(ParseTileQuery(field::TestWorld(6), request).status().code(),
            absl::StatusCode::kOutOfRange);
  request.mutable_key()->set_level(std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(ParseTileQuery(field::TestWorld(6), request).status().code(),
            absl::StatusCode::kOutOfRange);
  request.mutable_key()->set_level(0);
  request.mutable_key()->set_face(std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(ParseTileQuery(field::TestWorld(6), request).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST(TileQueryTest, RejectsUnknownPrecisionAndPriority) {
  v1::GetTileRequest request;
  request.set_precision(static_cast<v1::Precision>(3));
  EXPECT_EQ(ParseTileQuery(field::TestWorld(), request).status().code(),
            absl::StatusCode::kInvalidArgument);
  request.set_precision(v1::PRECISION_LATTICE);
  request.set_priority(static_cast<v1::Priority>(4));
  EXPECT_EQ(ParseTileQuery(field::TestWorld(), request).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(TileQueryTest, TheIdDoesNotDependOnThePriority) {
  TileQuery query;
  query.world = field::TestWorld();
  const cache::TileId id = IdOf(query);
  query.priority = field::Priority::kBake;
  EXPECT_EQ(IdOf(query), id);
  query.precision = v1::PRECISION_EXACT;
  EXPECT_NE(IdOf(query), id);
  query.precision = v1::PRECISION_LATTICE;
  query.world = field::TestWorld(6, 2);
  EXPECT_NE(IdOf(query), id);
}

}  // namespace
}  // namespace thalweg::tile
