// Rasters of wrong tiles: the caller gets an error, and nothing else happens.
#include "server/raster/raster_service.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/raster/render.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::raster {
namespace {

RasterQuery QueryOf(Format format, int size = 256) {
  RasterQuery query{.tile_query = {}, .format = format, .size = size};
  if (format == Format::kSatellite) query.layer = v1::LAYER_COVER;
  query.tile_query.world = field::TestWorld();
  return query;
}

using Answer = std::promise<absl::StatusOr<RasterBytes>>;

// The tile and raster services, over a device that computes at once unless its gate is closed.
class Server {
 public:
  explicit Server(std::size_t answer_bytes = std::size_t{64} << 20)
      : tiles_({.field = std::make_unique<field::Field>(field::MakeFakeBackend(device_),
                                                        field::FieldOptions{}),
                .cache = &memory_,
                .room = std::make_unique<sharing::AnswerRoom>(answer_bytes)}) {}

  absl::StatusOr<RasterBytes> Get(Recipe recipe) {
    Answer answer;
    Ask(std::move(recipe), answer);
    return answer.get_future().get();
  }
  absl::StatusOr<RasterBytes> Get(const RasterQuery& query) { return Get(RecipeOf(query)); }
  void Ask(const RasterQuery& query, Answer& answer) { Ask(RecipeOf(query), answer); }
  std::shared_ptr<RasterService::Question> Ask(Recipe recipe, Answer& answer) {
    return rasters_.Get(std::move(recipe), [&answer](absl::StatusOr<RasterBytes> bytes) {
      answer.set_value(std::move(bytes));
    });
  }
  // Puts these bytes into the cache as the raster's last tile.
  void Forge(const RasterQuery& query, const std::string& bytes) {
    memory_.Insert(tile::IdOf(TilesOf(query).back()),
                   {std::make_shared<const std::string>(bytes), {}});
  }
  RasterServiceStats stats() const { return rasters_.stats(); }
  tile::TileService& tiles() { return tiles_; }
  const sharing::AnswerRoom& room() const { return *tiles_.room(); }
  field::FakeDevice& device() { return *device_; }

 private:
  std::shared_ptr<field::FakeDevice> device_ = std::make_shared<field::FakeDevice>();
  cache::TileCache memory_{std::size_t{64} << 20};
  tile::TileService tiles_;
  RasterService rasters_{&tiles_, std::size_t{64} << 20, 1};
};

constexpr Format kAllFormats[] = {Format::kRelief, Format::kSatellite, Format::kTerrarium,
                                  Format::kMapbox, Format::kPng16,     Format::kLerc};

// A tile without layers, a tile without the drawn layer, and bytes that are not a tile.
TEST(RasterServiceTest, AWrongTileFailsOnlyItsRaster) {
  v1::Tile other;
  other.add_layers()->set_layer(v1::LAYER_SLOPE);
  for (const std::string& bytes :
       {std::string(), other.SerializeAsString(), std::string("no tile")}) {
    Server server;
    for (const Format format : kAllFormats) {
      for (const int size : {256, 512}) {
        const RasterQuery query = QueryOf(format, size);
        server.Forge(query, bytes);
        const auto raster = server.Get(query);
        EXPECT_EQ(raster.status().code(), absl::StatusCode::kDataLoss)
            << static_cast<int>(format) << ", size " << size << ": " << raster.status();
      }
    }
    EXPECT_EQ(server.stats().rendered, 0U);
  }
}

// The twin: with right tiles, all rasters are made.
TEST(RasterServiceTest, RightTilesGiveRasters) {
  Server server;
  for (const Format format : kAllFormats) {
    for (const int size : {256, 512}) {
      const auto raster = server.Get(QueryOf(format, size));
      EXPECT_TRUE(raster.ok()) << raster.status();
    }
  }
  EXPECT_EQ(server.stats().rendered, 2 * std::size(kAllFormats));
}

// A flight answers its callers one after the other. Here the raster is made between its first and
// its last caller.
TEST(RasterServiceTest, ACallerWhoseTileComesLateGetsTheFinishedRaster) {
  Server server;
  const RasterQuery query = QueryOf(Format::kTerrarium);
  Answer first;
  Answer last;
  std::future<absl::StatusOr<RasterBytes>> made = first.get_future();
  server.device().Close();
  server.Ask(query, first);
  while (server.tiles().stats().flights == 0) std::this_thread::yield();
  bool in_time = false;
  tile::TileQuery tile = TilesOf(query).front();
  tile.wants_values = true;
  server.tiles().Get(std::make_shared<tile::TileWaiter>(), tile,
                     [&made, &in_time](const absl::StatusOr<tile::TileContents>&) {
                       in_time =
                           made.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
                     });
  server.Ask(query, last);
  while (server.tiles().stats().joined < 2) std::this_thread::yield();
  server.device().Open();
  const absl::StatusOr<RasterBytes> bytes = last.get_future().get();
  ASSERT_TRUE(in_time);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_TRUE(**bytes == **made.get());
  EXPECT_EQ(server.stats().rendered, 1U);
}

// The caller's thread has other connections to serve, so it must not look for tiles.
TEST(RasterServiceTest, TilesAreFoundByAnotherThread) {
  Server server;
  const RasterQuery query = QueryOf(Format::kTerrarium);
  std::thread::id finder;
  Recipe recipe = RecipeOf(query);
  recipe.tiles = [&finder, query] {
    finder = std::this_thread::get_id();
    return TilesOf(query);
  };
  EXPECT_TRUE(server.Get(std::move(recipe)).ok());
  EXPECT_NE(finder, std::thread::id());
  EXPECT_NE(finder, std::this_thread::get_id());
}

TEST(RasterServiceTest, TilesThatThrowFailTheirRaster) {
  Server server;
  Recipe recipe = RecipeOf(QueryOf(Format::kTerrarium));
  recipe.tiles = []() -> std::vector<tile::TileQuery> { throw std::length_error("too many"); };
  EXPECT_EQ(server.Get(std::move(recipe)).status().code(), absl::StatusCode::kInternal);
  EXPECT_TRUE(server.Get(QueryOf(Format::kTerrarium)).ok());
}

// The answer, or an error if none comes within a minute.
absl::StatusOr<RasterBytes> Await(std::future<absl::StatusOr<RasterBytes>>& answer) {
  if (answer.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
    return absl::DeadlineExceededError("no answer came");
  }
  return answer.get();
}

TEST(RasterServiceTest, ARasterHoldsRoomForItsTilesAndThenForItself) {
  Server server;
  const RasterQuery query = QueryOf(Format::kTerrarium, 512);
  std::size_t tile_bytes = 0;
  for (const tile::TileQuery& tile : TilesOf(query)) tile_bytes += tile::MaxAnswerBytes(tile);
  server.device().Close();
  Answer answer;
  std::future<absl::StatusOr<RasterBytes>> made = answer.get_future();
  server.Ask(query, answer);
  while (server.tiles().stats().flights == 0) std::this_thread::yield();
  EXPECT_EQ(server.room().held(), tile_bytes);
  server.device().Open();
  {
    const absl::StatusOr<RasterBytes> bytes = Await(made);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(server.room().held(), (*bytes)->size());
    const absl::StatusOr<RasterBytes> hit = server.Get(query);
    ASSERT_TRUE(hit.ok()) << hit.status();
    EXPECT_EQ(server.room().held(), 2 * (*bytes)->size());
  }
  EXPECT_EQ(server.room().held(), 0U);
}

// Each has four tiles, and there is room for one tile. With half of their tiles, they would wait
// for each other for ever.
TEST(RasterServiceTest, ManyRastersShareASmallRoom) {
  Server server(std::size_t{1} << 20);
  constexpr std::int64_t kRasters = 30;
  std::vector<Answer> answers(kRasters);
  std::vector<std::future<absl::StatusOr<RasterBytes>>> futures;
  for (std::int64_t n = 0; n < kRasters; ++n) {
    RasterQuery query = QueryOf(Format::kTerrarium, 512);
    query.tile_query.key.x = n;
    futures.push_back(answers[static_cast<std::size_t>(n)].get_future());
    server.Ask(query, answers[static_cast<std::size_t>(n)]);
  }
  for (auto& future : futures) {
    const absl::StatusOr<RasterBytes> bytes = Await(future);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
  }
}

TEST(RasterServiceTest, ARasterThatWaitsForRoomCanBeCancelled) {
  Server server(std::size_t{1} << 20);
  server.device().Close();
  std::vector<Answer> answers(4);
  std::vector<std::shared_ptr<RasterService::Question>> questions;
  for (std::size_t n = 0; n < answers.size(); ++n) {
    RasterQuery query = QueryOf(Format::kTerrarium, 512);
    query.tile_query.key.x = static_cast<std::int64_t>(n);
    questions.push_back(server.Ask(RecipeOf(query), answers[n]));
  }
  while (server.room().waiting() < 2) std::this_thread::yield();
  std::vector<std::future<absl::StatusOr<RasterBytes>>> futures;
  for (Answer& answer : answers) futures.push_back(answer.get_future());
  // Those that wait first: what the others give back would be theirs.
  for (auto question = questions.rbegin(); question != questions.rend(); ++question) {
    (*question)->Cancel();
  }
  server.device().Open();
  for (auto& future : futures) {
    EXPECT_EQ(Await(future).status().code(), absl::StatusCode::kCancelled);
  }
  EXPECT_EQ(server.room().held(), 0U);
}

// A budget that is full or empty.
class Account final : public tile::Payer {
 public:
  explicit Account(bool empty = false) : empty_(empty) {}

  absl::Status MayGenerate() override {
    return empty_ ? absl::ResourceExhaustedError("empty") : absl::OkStatus();
  }
  void Charge(std::int64_t cells) override { charged_ += cells; }
  std::int64_t charged() const { return charged_; }

 private:
  const bool empty_;
  std::atomic<std::int64_t> charged_ = 0;
};

Recipe PaidBy(const RasterQuery& query, std::shared_ptr<Account> payer) {
  Recipe recipe = RecipeOf(query);
  recipe.payer = std::move(payer);
  return recipe;
}

// Its tiles are in the cache, and cost nothing.
TEST(RasterServiceTest, ARasterIsPaidForOnceLikeATile) {
  Server server;
  const RasterQuery query = QueryOf(Format::kTerrarium);
  std::promise<void> tile_is_here;
  server.tiles().Get(std::make_shared<tile::TileWaiter>(), TilesOf(query).front(),
                     [&tile_is_here](const auto& tile) {
                       EXPECT_TRUE(tile.ok());
                       tile_is_here.set_value();
                     });
  tile_is_here.get_future().wait();
  const auto account = std::make_shared<Account>();
  EXPECT_TRUE(server.Get(PaidBy(query, account)).ok());
  constexpr std::int64_t kCellsOfATile = std::int64_t{wire::kTileCells} * wire::kTileCells;
  EXPECT_EQ(account->charged(), kCellsOfATile);
  EXPECT_TRUE(server.Get(PaidBy(query, account)).ok());
  EXPECT_EQ(account->charged(), kCellsOfATile);
}

TEST(RasterServiceTest, CallersWithoutBudgetGetOnlyFinishedRasters) {
  Server server;
  const RasterQuery query = QueryOf(Format::kTerrarium);
  const auto poor = std::make_shared<Account>(/*empty=*/true);
  EXPECT_EQ(server.Get(PaidBy(query, poor)).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(server.tiles().stats().tiles_encoded, 0U);
  EXPECT_EQ(server.stats().rendered, 0U);
  EXPECT_TRUE(server.Get(query).ok());
  EXPECT_TRUE(server.Get(PaidBy(query, poor)).ok());
  EXPECT_EQ(poor->charged(), 0);
}

// The pictures of one client wait for their turns. That of another, which came last, is the second.
TEST(RasterServiceTest, ManyRastersOfOneClientDelayNoOtherClient) {
  Server server;
  std::promise<void> release;
  std::promise<void> begun;
  Recipe first = RecipeOf(QueryOf(Format::kTerrarium));
  first.client = 1;
  first.tiles = [&]() -> std::vector<tile::TileQuery> {
    begun.set_value();
    release.get_future().wait();
    return {};
  };
  first.make = [](std::span<const tile::TileContents>) { return std::string(); };
  Answer first_answer;
  server.Ask(first, first_answer);
  begun.get_future().wait();
  // The one thread is held, so these pictures only wait.
  std::atomic<std::size_t> found = 0;
  std::vector<Answer> crowd(100);
  for (std::size_t n = 0; n < crowd.size(); ++n) {
    Recipe recipe = first;
    recipe.identity = "crowd " + std::to_string(n);
    recipe.tiles = [&found]() -> std::vector<tile::TileQuery> {
      return ++found, std::vector<tile::TileQuery>();
    };
    server.Ask(std::move(recipe), crowd[n]);
  }
  Recipe other = first;
  other.identity = "other";
  other.client = 2;
  std::size_t found_before = crowd.size();
  other.tiles = [&]() -> std::vector<tile::TileQuery> {
    found_before = found;
    return {};
  };
  Answer other_answer;
  server.Ask(std::move(other), other_answer);
  release.set_value();
  EXPECT_TRUE(other_answer.get_future().get().ok());
  EXPECT_LE(found_before, 1U);
  for (Answer& answer : crowd) EXPECT_TRUE(answer.get_future().get().ok());
}

// For every format, a grid without a needed layer is an error.
TEST(RasterServiceTest, AGridThatLacksALayerIsAnError) {
  for (const Format format : kAllFormats) {
    const RasterQuery query = QueryOf(format);
    EXPECT_EQ(Render(query, LayerGrid{.size = 256, .layers = {}}).status().code(),
              absl::StatusCode::kDataLoss);
    if (format != Format::kRelief && format != Format::kSatellite) continue;
    for (const v1::Layer missing : SourceLayers(query).List()) {
      LayerGrid grid{.size = 256, .layers = {}};
      for (const v1::Layer layer : SourceLayers(query).List()) {
        if (layer != missing) grid.layers[layer].resize(std::size_t{256} * 256);
      }
      EXPECT_EQ(Render(query, grid).status().code(), absl::StatusCode::kDataLoss)
          << v1::Layer_Name(missing);
    }
  }
}

}  // namespace
}  // namespace thalweg::raster
