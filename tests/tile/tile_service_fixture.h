// Shared by tests of the tile service: a fake device behind a field, and questions with answers to
// wait for.
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

// The values of a tile for its query: of contents as they came, of bytes as clients decode them.
Planes PlanesOf(const TileContents& contents, const TileQuery& query);
Planes PlanesOf(const std::string& bytes, const TileQuery& query);

class TileServiceFixture : public testing::Test {
 protected:
  using Answer = absl::StatusOr<FinishedTile>;
  struct Asked {
    TileService::Ticket ticket;
    std::future<Answer> answer;
  };

  // Call this before the service's objects are destroyed. A gate left closed by a failed assertion
  // would hold the field's thread for ever.
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
    std::promise<Answer> promise;
    std::future<Answer> answer = promise.get_future();
    const TileService::Ticket ticket =
        service_->Get(query, [promise = std::move(promise)](Answer tile) mutable {
          promise.set_value(std::move(tile));
        });
    return {ticket, std::move(answer)};
  }
  TileBytes GetOrDie(const TileQuery& query) {
    const Answer tile = Ask(query).answer.get();
    EXPECT_TRUE(tile.ok()) << tile.status();
    return tile.ok() ? tile->bytes : nullptr;
  }
  Planes ContentsOrDie(const TileQuery& query) {
    std::promise<absl::StatusOr<TileContents>> promise;
    service_->GetContents(query, [&promise](absl::StatusOr<TileContents> contents) {
      promise.set_value(std::move(contents));
    });
    const absl::StatusOr<TileContents> contents = promise.get_future().get();
    EXPECT_TRUE(contents.ok()) << contents.status();
    return contents.ok() ? PlanesOf(*contents, query) : Planes();
  }
  // Called before each call of CallAtRandom, by the thread of this seed.
  using BeforeCall = std::function<void(std::uint64_t seed, int call, std::mt19937_64& random)>;

  // Threads that ask for these tiles, cancel and wait as it comes, and expect these bytes, each
  // answered once. Ends the service; what it had done by then.
  TileServiceStats CallAtRandom(
      const std::vector<TileQuery>& queries, const std::vector<std::string>& expected,
      const BeforeCall& before = [](std::uint64_t, int, std::mt19937_64&) {});

  const std::shared_ptr<field::FakeDevice> device_ = std::make_shared<field::FakeDevice>();
  const std::shared_ptr<const world::World> world_ = field::TestWorld();
  std::unique_ptr<TileService> service_;
};

}  // namespace thalweg::tile
