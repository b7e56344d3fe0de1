#include "server/tile/tile_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "proto/wire/layer_facts.h"
#include "proto/wire/tile_codec.h"
#include "server/tile/layers/tile_layers.h"
#include "server/tile/tile_contents.h"
#include "tests/tile/tile_service_fixture.h"

namespace thalweg::tile {
namespace {

class TileServiceTest : public TileServiceFixture {
 protected:
  explicit TileServiceTest(std::size_t cache_bytes = std::size_t{64} << 20) : cache_(cache_bytes) {
    service_ = std::make_unique<TileService>(
        TileService::Parts{.field = MakeField(), .cache = &cache_, .encode_threads = 2});
  }
  ~TileServiceTest() override { Finish(); }

  cache::TileCache cache_;
};

// The bytes of a query's tile, made directly from the fake backend's values.
std::string ExpectedBytes(const TileQuery& query) {
  field::TileValues values;
  const Sources sources = SourcesOf(query.layers.List());
  const std::int64_t end = wire::kTileVertices + sources.margin;
  for (const backend::Layer layer : sources.layers) {
    auto& plane = values.planes.emplace_back();
    for (std::int64_t y = -sources.margin; y < end; ++y) {
      for (std::int64_t x = -sources.margin; x < end; ++x) {
        plane.push_back(field::FakeValue(query.world->level(query.key.level).seed_low,
                                         query.key.level, layer, query.key.x * wire::kTileCells + x,
                                         query.key.y * wire::kTileCells + y));
      }
    }
  }
  return *EncodeTile(query, values).bytes;
}

TEST_F(TileServiceTest, CacheHitEqualsMiss) {
  const TileQuery query = QueryOf({0, 2, -1, 3});
  const TileBytes miss = GetOrDie(query);
  const TileBytes hit = GetOrDie(query);
  EXPECT_EQ(*miss, ExpectedBytes(query));
  EXPECT_EQ(hit.get(), miss.get());
  EXPECT_EQ(service_->stats().tiles_encoded, 1U);
  EXPECT_EQ(cache_.stats().hits, 1U);
}

// The twin: another tile has other bytes than expected.
TEST_F(TileServiceTest, OtherTilesHaveOtherBytes) {
  EXPECT_NE(*GetOrDie(QueryOf({0, 2, -1, 3})), ExpectedBytes(QueryOf({0, 2, -1, 4})));
}

google::protobuf::RepeatedField<int> Wanted(const std::vector<v1::Layer>& layers) {
  return {layers.begin(), layers.end()};
}

TEST_F(TileServiceTest, EveryLayerIsMadeOfTheFieldsValues) {
  TileQuery query = QueryOf({0, 5, -1, 3});
  query.layers = *LayerChoice::Parse(Wanted(wire::AllLayers()));
  for (const v1::Precision precision : {v1::PRECISION_EXACT, v1::PRECISION_LATTICE}) {
    query.precision = precision;
    EXPECT_EQ(*GetOrDie(query), ExpectedBytes(query));
  }
}

// A request causes work only for the layers that it names: its block keeps their sources, and its
// ancestors keep nothing for it.
TEST_F(TileServiceTest, BlocksKeepOnlyWhatTheRequestedLayersNeed) {
  using backend::Layer;
  using backend::LayerSet;
  const std::vector<std::pair<std::vector<v1::Layer>, LayerSet>> cases = {
      {{v1::LAYER_HEIGHT}, {}},
      {{v1::LAYER_FLOW}, {}},
      {{v1::LAYER_NORMAL}, {}},
      {{v1::LAYER_SLOPE}, {}},
      {{v1::LAYER_COVER}, {Layer::kWater, Layer::kSediment}},
      {{v1::LAYER_WASH_LOAD}, {Layer::kWashLoad}},
      {{v1::LAYER_UPLIFT}, {Layer::kUplift}},
      {{v1::LAYER_SEDIMENT}, {Layer::kSediment}},
      {{v1::LAYER_WATER_LEVEL}, {Layer::kWater}},
      {{v1::LAYER_WATER_DEPTH}, {Layer::kWater}},
      {{v1::LAYER_VEGETATION}, {Layer::kVegetation}},
      {{v1::LAYER_WEAR}, {Layer::kWear}},
      {{v1::LAYER_DEPOSIT}, {Layer::kDeposit}},
      {{v1::LAYER_SHORE_DISTANCE}, {Layer::kShore, Layer::kWater}},
      {{v1::LAYER_SHORE_DIRECTION}, {Layer::kShore}},
      {{v1::LAYER_SLOPE, v1::LAYER_WEAR}, {Layer::kWear}},
  };
  EXPECT_EQ(cases.size(), wire::AllLayers().size() + 1);
  std::int64_t x = 0;
  for (const auto& [layers, expected] : cases) {
    // The tiles are far apart, so that no ancestor is kept from an earlier one.
    TileQuery query = QueryOf({0, 2, x += 100, 0});
    query.layers = *LayerChoice::Parse(Wanted(layers));
    const std::size_t before = device_->runs().size();
    GetOrDie(query);
    const auto runs = device_->runs();
    ASSERT_EQ(runs.size(), before + 3);
    EXPECT_EQ(runs[before].layers, LayerSet{}) << v1::Layer_Name(layers[0]);
    EXPECT_EQ(runs[before + 1].layers, LayerSet{}) << v1::Layer_Name(layers[0]);
    EXPECT_EQ(runs[before + 2].layers, expected) << v1::Layer_Name(layers[0]);
  }
}

std::vector<std::int32_t> DecodedLayer(const TileBytes& bytes, int layer) {
  v1::Tile tile;
  EXPECT_TRUE(tile.ParseFromString(*bytes));
  const v1::TileLayer& message = tile.layers(layer);
  return *wire::DecodeLayer(message.data(), wire::kTileVertices, wire::kTileVertices,
                            static_cast<int>(message.lattice_shift()));
}

// Every tile is a block here, so values beyond an edge are computed with another block.
TEST_F(TileServiceTest, NeighboursShareTheirEdgesInEveryLayer) {
  constexpr std::size_t kVertices = wire::kTileVertices;
  for (const v1::Precision precision : {v1::PRECISION_EXACT, v1::PRECISION_LATTICE}) {
    const auto get = [&](std::int64_t x, std::int64_t y) {
      TileQuery query = QueryOf({0, 5, x, y});
      query.precision = precision;
      query.layers = *LayerChoice::Parse(Wanted(wire::AllLayers()));
      return GetOrDie(query);
    };
    const TileBytes middle = get(-1, 4);
    const TileBytes east = get(0, 4);
    const TileBytes south = get(-1, 5);
    for (std::size_t l = 0; l < wire::AllLayers().size(); ++l) {
      const auto m = DecodedLayer(middle, static_cast<int>(l));
      const auto e = DecodedLayer(east, static_cast<int>(l));
      const auto s = DecodedLayer(south, static_cast<int>(l));
      std::size_t inside = 0;
      for (std::size_t k = 0; k < kVertices; ++k) {
        ASSERT_EQ(m[k * kVertices + kVertices - 1], e[k * kVertices])
            << v1::Layer_Name(wire::AllLayers()[l]);
        ASSERT_EQ(m[(kVertices - 1) * kVertices + k], s[k]) << v1::Layer_Name(wire::AllLayers()[l]);
        inside += m[k * kVertices + kVertices - 2] == e[k * kVertices] ? 1 : 0;
      }
      // The twin: one vertex further inside, the values differ.
      EXPECT_LT(inside, kVertices) << v1::Layer_Name(wire::AllLayers()[l]);
    }
  }
}

TEST_F(TileServiceTest, AnswersHitsAtOnce) {
  const TileQuery query = QueryOf({0, 0, 0, 0});
  GetOrDie(query);
  EXPECT_EQ(Ask(query).answer.wait_for(std::chrono::seconds(0)), std::future_status::ready);
}

TEST_F(TileServiceTest, ManyCallersShareOneComputation) {
  device_->Close();
  const TileQuery query = QueryOf({0, 0, 5, 5});
  std::vector<Asked> callers;
  for (int k = 0; k < 50; ++k) callers.push_back(Ask(query));
  EXPECT_EQ(service_->stats().joined, 49U);
  EXPECT_EQ(service_->stats().flights, 1U);
  device_->Open();
  const TileBytes first = callers[0].answer.get()->bytes;
  for (std::size_t k = 1; k < callers.size(); ++k) {
    EXPECT_EQ(callers[k].answer.get()->bytes, first);
  }
  EXPECT_EQ(service_->stats().tiles_encoded, 1U);
  EXPECT_EQ(device_->TimesComputed({0, 0, 5, 5}), 1);
  EXPECT_THAT(device_->reads(), testing::ElementsAre(1));
  EXPECT_EQ(service_->stats().flights, 0U);
}

// The twin: requests for another form of the tile count separately.
TEST_F(TileServiceTest, OtherFormsAreEncodedSeparately) {
  TileQuery query = QueryOf({0, 0, 5, 5});
  GetOrDie(query);
  query.precision = v1::PRECISION_LATTICE;
  GetOrDie(query);
  EXPECT_EQ(service_->stats().tiles_encoded, 2U);
}

// For every layer, contents have the same values as the tile's bytes.
TEST_F(TileServiceTest, ContentsEqualTheDecodedBytes) {
  TileQuery query = QueryOf({0, 2, -1, 3});
  query.layers = *LayerChoice::Parse(Wanted(wire::AllLayers()));
  const Planes planes = ContentsOrDie(query);
  EXPECT_EQ(planes.size(), wire::AllLayers().size());
  EXPECT_EQ(planes, PlanesOf(*GetOrDie(query), query));
}

// The twin: contents of another tile differ.
TEST_F(TileServiceTest, ContentsOfOtherTilesDiffer) {
  EXPECT_NE(ContentsOrDie(QueryOf({0, 2, -1, 3})), ContentsOrDie(QueryOf({0, 2, -1, 4})));
}

TEST_F(TileServiceTest, ContentsNeedNoBytes) {
  const TileQuery query = QueryOf({0, 0, 5, 5});
  ContentsOrDie(query);
  EXPECT_EQ(service_->stats().tiles_encoded, 0U);
  EXPECT_EQ(cache_.stats().entries, 0U);
  EXPECT_EQ(service_->stats().flights, 0U);
  const TileBytes bytes = GetOrDie(query);
  EXPECT_EQ(service_->stats().tiles_encoded, 1U);
  EXPECT_EQ(device_->TimesComputed({0, 0, 5, 5}), 1);
  // If the tile is in the cache, contents are read from its bytes.
  EXPECT_EQ(ContentsOrDie(query), PlanesOf(*bytes, query));
  EXPECT_THAT(device_->reads(), testing::ElementsAre(1, 1));
}

TEST_F(TileServiceTest, BytesAndContentsShareOneComputation) {
  device_->Close();
  const TileQuery query = QueryOf({0, 0, 5, 5});
  Asked bytes = Ask(query);
  AskedForValues values = AskForValues(query);
  EXPECT_EQ(service_->stats().joined, 1U);
  device_->Open();
  const auto contents = values.answer.get();
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(PlanesOf(*contents, query), PlanesOf(*bytes.answer.get()->bytes, query));
  EXPECT_THAT(device_->reads(), testing::ElementsAre(1));
}

TEST_F(TileServiceTest, FailedAndCancelledContentsReturnErrors) {
  device_->FailOnce([](const field::FakeRun&) { return true; }, absl::InternalError("broken"));
  EXPECT_EQ(AskForValues(QueryOf({0, 0, 1, 1})).answer.get().status().code(),
            absl::StatusCode::kInternal);
  device_->Close();
  AskedForValues cancelled = AskForValues(QueryOf({0, 0, 2, 2}));
  service_->Cancel(cancelled.waiter);
  EXPECT_EQ(cancelled.answer.get().status().code(), absl::StatusCode::kCancelled);
}

TEST_F(TileServiceTest, CancelledWorkIsNotComputed) {
  device_->Close();
  Asked running = Ask(QueryOf({0, 0, 0, 0}));
  device_->AwaitRunAtGate();
  Asked dropped = Ask(QueryOf({0, 0, 9, 9}));
  Asked first_of_two = Ask(QueryOf({0, 0, 7, 7}));
  Asked second_of_two = Ask(QueryOf({0, 0, 7, 7}));
  service_->Cancel(dropped.waiter);
  service_->Cancel(first_of_two.waiter);
  EXPECT_EQ(dropped.answer.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(first_of_two.answer.get().status().code(), absl::StatusCode::kCancelled);
  device_->Open();
  EXPECT_TRUE(running.answer.get().ok());
  EXPECT_TRUE(second_of_two.answer.get().ok());
  EXPECT_EQ(device_->TimesComputed({0, 0, 9, 9}), 0);
  EXPECT_EQ(device_->TimesComputed({0, 0, 7, 7}), 1);
  EXPECT_EQ(service_->field_stats().blocks_dropped, 1U);
}

TEST_F(TileServiceTest, IgnoresCancelAfterTheAnswer) {
  Asked asked = Ask(QueryOf({0, 0, 0, 0}));
  EXPECT_TRUE(asked.answer.get().ok());
  service_->Cancel(asked.waiter);
  service_->Cancel(asked.waiter);
}

// The gate stays closed until all are answered: none of them waits for the device.
TEST_F(TileServiceTest, CancelBeforeTheRequestAnswersIt) {
  const TileQuery hot = QueryOf({0, 0, 0, 0});
  GetOrDie(hot);
  device_->Close();
  for (const TileQuery& query : {hot, QueryOf({0, 0, 1, 1})}) {
    const auto waiter = std::make_shared<TileWaiter>();
    service_->Cancel(waiter);
    service_->Cancel(waiter);
    EXPECT_EQ(AskAs(waiter, query).get().status().code(), absl::StatusCode::kCancelled);
  }
  EXPECT_EQ(service_->stats().flights, 0U);
  device_->Open();
}

TEST_F(TileServiceTest, AnUrgentCallerRaisesTheTile) {
  device_->Close();
  Asked running = Ask(QueryOf({0, 0, 0, 0}));
  device_->AwaitRunAtGate();
  // Enough of them to fill batches, in the order of their priorities.
  std::vector<Asked> others;
  for (int k = 1; k <= 8; ++k) {
    TileQuery query = QueryOf({0, 0, k, 0});
    query.priority = field::Priority::kPrefetch;
    others.push_back(Ask(query));
  }
  TileQuery query = QueryOf({0, 0, 100, 0});
  query.priority = field::Priority::kBake;
  Asked patient = Ask(query);
  query.priority = field::Priority::kInteractive;
  Asked hurried = Ask(query);
  device_->Open();
  EXPECT_EQ(hurried.answer.get()->bytes, patient.answer.get()->bytes);
  for (Asked& other : others) EXPECT_TRUE(other.answer.get().ok());
  const auto runs = device_->runs();
  ASSERT_GE(runs.size(), 2U);
  EXPECT_EQ(runs[1].blocks[0], (world::BlockKey{0, 0, 100, 0}));
  EXPECT_EQ(device_->TimesComputed({0, 0, 100, 0}), 1);
}

TEST_F(TileServiceTest, ErrorsReachAllCallersAndAreNotKept) {
  device_->FailOnce([](const field::FakeRun&) { return true; }, absl::InternalError("broken"));
  device_->Close();
  const TileQuery query = QueryOf({0, 0, 0, 0});
  Asked first = Ask(query);
  Asked second = Ask(query);
  device_->Open();
  EXPECT_EQ(first.answer.get().status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(second.answer.get().status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(*GetOrDie(query), ExpectedBytes(query));
}

TEST_F(TileServiceTest, StopFailsWaitingRequests) {
  device_->Close();
  Asked running = Ask(QueryOf({0, 0, 0, 0}));
  device_->AwaitRunAtGate();
  Asked waiting = Ask(QueryOf({0, 0, 1, 1}));
  std::thread stopper([this] { service_->Stop(); });
  // Once the field is stopping, it answers at once.
  for (std::int64_t x = 2; Ask(QueryOf({0, 0, x, 2})).answer.wait_for(std::chrono::seconds(0)) !=
                           std::future_status::ready;
       ++x) {
    std::this_thread::yield();
  }
  device_->Open();
  stopper.join();
  EXPECT_EQ(waiting.answer.get().status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Ask(QueryOf({0, 0, 1, 1})).answer.get().status().code(),
            absl::StatusCode::kUnavailable);
}

// The cache has room for two tiles, so that flights begin, end and are joined all the time.
class BusyTileServiceTest : public TileServiceTest {
 protected:
  BusyTileServiceTest() : TileServiceTest(5 * SizeOfATile() / 2) {}

  static std::size_t SizeOfATile() {
    TileQuery query;
    query.world = field::TestWorld();
    query.precision = v1::PRECISION_EXACT;
    return ExpectedBytes(query).size();
  }
};

TEST_F(BusyTileServiceTest, EveryCallIsAnsweredOnceAndRight) {
  constexpr int kKeys = 6;
  std::vector<TileQuery> queries;
  std::vector<std::string> expected;
  for (int k = 0; k < kKeys; ++k) {
    queries.push_back(QueryOf({0, k % 3, k, -k}));
    expected.push_back(ExpectedBytes(queries.back()));
  }
  const TileServiceStats stats = CallAtRandom(queries, expected);
  EXPECT_GT(stats.tiles_encoded, std::uint64_t{2 * kKeys});
}

// No thread encodes. The values of two tiles fill the client's part of the room, so that its other
// tiles are not read; another client's tile is.
TEST_F(TileServiceTest, ValuesHoldRoomUntilTheyAreEncoded) {
  constexpr std::size_t kValuesOfATile = std::size_t{257} * 257 * sizeof(std::int32_t);
  const field::FieldOptions options{.values_bytes = 4 * kValuesOfATile};
  service_ = std::make_unique<TileService>(TileService::Parts{
      .field = std::make_unique<field::Field>(field::MakeFakeBackend(device_), options),
      .cache = &cache_});
  std::promise<void> begun;
  std::promise<void> release;
  const auto hold = [&begun, &release] {
    begun.set_value();
    release.get_future().wait();
    return absl::OkStatus();
  };
  service_->workers().Post(0, "hold the thread", hold, [](const absl::Status&) {});
  // Until then it would count as waiting too.
  begun.get_future().wait();
  device_->Close();
  std::vector<Asked> asked;
  const auto ask = [&](std::int64_t n, std::uint64_t client) {
    TileQuery query = QueryOf({0, 0, n, 0});
    query.client = client;
    asked.push_back(Ask(query));
  };
  const auto await_waiting = [this](std::size_t tiles) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (service_->stats().waiting_to_encode < tiles &&
           std::chrono::steady_clock::now() < give_up) {
      std::this_thread::yield();
    }
    EXPECT_EQ(service_->stats().waiting_to_encode, tiles);
  };
  for (std::int64_t n = 0; n < 10; ++n) ask(n, 1);
  device_->Open();
  await_waiting(2);
  // If more of the first client's tiles could be read, they would come before these.
  ask(10, 2);
  await_waiting(3);
  release.set_value();
  for (Asked& one : asked) EXPECT_TRUE(one.answer.get().ok());
}

}  // namespace
}  // namespace thalweg::tile
