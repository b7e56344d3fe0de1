// For tests of the tile service: a fake device behind a field, and questions whose answers a test
// can await.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/tile/tile_service.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::tile {

using cache::TileBytes;
using Planes = std::vector<std::vector<std::int32_t>>;

// A tile's planes for its query: those of its contents, or those that clients decode from bytes.
Planes PlanesOf(const TileContents& contents, const TileQuery& query);
Planes PlanesOf(const std::string& bytes, const TileQuery& query);

class TileServiceFixture : public testing::Test {
 protected:
  using Answer = absl::StatusOr<FinishedTile>;
  struct Asked {
    TileSource::WaiterPtr waiter;
    std::future<Answer> answer;
  };

  // Must be called before the service's objects are destroyed. If a failed assertion leaves the
  // gate closed, the field's thread would wait for ever.
  void Finish() {
    device_->Open();
    service_.reset();
  }
  std::unique_ptr<field::Field> MakeField() const {
    return std::make_unique<field::Field>(field::MakeFakeBackend(device_), field::FieldOptions{});
  }
  TileQuery QueryOf(const wire::TileKey& key) const {
    TileQuery query;
    query.world = world_;
    query.key = key;
    query.precision = v1::PRECISION_EXACT;
    return query;
  }
  Asked Ask(const TileQuery& query) {
    const auto waiter = std::make_shared<TileWaiter>();
    return {waiter, AskAs(waiter, query)};
  }
  std::future<Answer> AskAs(const TileSource::WaiterPtr& waiter, const TileQuery& query) {
    std::promise<Answer> promise;
    std::future<Answer> answer = promise.get_future();
    service_->Get(waiter, query,
                  [promise = std::move(promise)](absl::StatusOr<TileContents> tile) mutable {
                    // Moved: the tile holds room for as long as it exists.
                    promise.set_value(tile.ok() ? Answer((*std::move(tile)).finished())
                                                : Answer(tile.status()));
                  });
    return answer;
  }
  // As Ask, for values.
  struct AskedForValues {
    TileSource::WaiterPtr waiter;
    std::future<absl::StatusOr<TileContents>> answer;
  };
  AskedForValues AskForValues(TileQuery query) {
    const auto waiter = std::make_shared<TileWaiter>();
    std::promise<absl::StatusOr<TileContents>> promise;
    std::future<absl::StatusOr<TileContents>> answer = promise.get_future();
    query.wants_values = true;
    service_->Get(waiter, std::move(query),
                  [promise = std::move(promise)](absl::StatusOr<TileContents> contents) mutable {
                    promise.set_value(std::move(contents));
                  });
    return {waiter, std::move(answer)};
  }
  TileBytes GetOrDie(const TileQuery& query) {
    const Answer tile = Ask(query).answer.get();
    EXPECT_TRUE(tile.ok()) << tile.status();
    return tile.ok() ? tile->bytes : nullptr;
  }
  Planes ContentsOrDie(const TileQuery& query) {
    const absl::StatusOr<TileContents> contents = AskForValues(query).answer.get();
    EXPECT_TRUE(contents.ok()) << contents.status();
    return contents.ok() ? PlanesOf(*contents, query) : Planes();
  }
  // CallAtRandom calls it before each of its calls, on the thread with this seed.
  using BeforeCall = std::function<void(std::uint64_t seed, int call, std::mt19937_64& random)>;

  // Several threads ask for these tiles, and cancel and wait at random. Each question must get one
  // answer, with these bytes. Ends the service, and returns what it has done.
  TileServiceStats CallAtRandom(
      const std::vector<TileQuery>& queries, const std::vector<std::string>& expected,
      const BeforeCall& before = [](std::uint64_t, int, std::mt19937_64&) {});

  const std::shared_ptr<field::FakeDevice> device_ = std::make_shared<field::FakeDevice>();
  const std::shared_ptr<const world::World> world_ = field::TestWorld();
  std::unique_ptr<TileService> service_;
};

}  // namespace thalweg::tile
