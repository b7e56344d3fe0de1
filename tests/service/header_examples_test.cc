// The examples of the library's headers, compiled and run. tests/client/header_examples compares
// them.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "tests/service/child_server.h"
#include "thalweg/client.h"
#include "thalweg/terrain_view.h"

namespace thalweg::service {
namespace {

class HeaderExamplesTest : public ::testing::Test {
 protected:
  const std::string& Address() const { return server_.address(); }

  absl::Status GetsATile() {
    auto client = thalweg::Client::Connect(Address());
    if (!client.ok()) return client.status();
    const auto tile = (*client)->GetTile("alpine", {.level = 4, .x = 3, .y = -1});
    if (!tile.ok()) return tile.status();
    const double north_west_m = tile->planes[0].values[0] / 65'536.0;
    EXPECT_LT(std::abs(north_west_m), 9'000);
    client_ = *std::move(client);
    return absl::OkStatus();
  }

  void CreatesAWorld(std::unique_ptr<thalweg::Client>* client) {
    const auto made = (*client)->CreateWorld(R"({"name": "plain", "base": {"constant": 10},
                                                 "rules": [{}]})");
    ASSERT_TRUE(made.ok()) << made.status();
    EXPECT_TRUE(made->is_new);
  }

  void StreamsTiles(std::unique_ptr<thalweg::Client>* client) {
    std::vector<thalweg::Tile> tiles;
    // clang-format off
    const absl::Status done = (*client)->StreamTiles(
        "alpine", {.first = {.level = 4, .x = -1, .y = -1}, .columns = 2, .rows = 2}, {},
        [&](thalweg::Tile tile) {
          tiles.push_back(std::move(tile));
          return absl::OkStatus();
        });
    // clang-format on
    EXPECT_TRUE(done.ok()) << done;
    EXPECT_EQ(tiles.size(), 4U);
  }

  void FetchesARegion(std::unique_ptr<thalweg::Client>* client) {
    const auto region = (*client)->FetchRegion(
        {.world = "alpine", .level = 5, .x0 = -100, .y0 = 0, .width = 300, .height = 200});
    ASSERT_TRUE(region.ok()) << region.status();
    EXPECT_EQ(region->planes[0].values.size(), 60'000U);
  }

  void SamplesHeights(std::unique_ptr<thalweg::Client>* client) {
    // clang-format off
    const auto heights =
        (*client)->SampleHeights("alpine", 4, {{.east_m = 1'200, .south_m = -350.5}});
    // clang-format on
    ASSERT_TRUE(heights.ok()) << heights.status();
    EXPECT_EQ(heights->size(), 1U);
  }

  absl::Status Flies(std::unique_ptr<thalweg::Client>* client) {
    thalweg::Camera camera;
    camera.position_m = {.east = 0, .south = 5'000, .up = 3'000};
    camera.direction = {.east = 0, .south = -1, .up = -0.3};
    camera.viewport_height_px = 1440;
    camera.tolerated_error_px = 1000;
    auto view = thalweg::TerrainView::Open(**client, {.world = "alpine"});
    if (!view.ok()) return view.status();
    bool finest = false;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    // NOLINTNEXTLINE(readability-identifier-naming): the example calls it so.
    const auto IsRunning = [&] {
      if (!finest) (*view)->Wait(std::chrono::milliseconds(1'000));
      return !finest && std::chrono::steady_clock::now() < deadline;
    };
    while (IsRunning()) {
      absl::Status set = (*view)->SetCamera(camera);
      if (!set.ok()) return set;
      const thalweg::FrameChanges changes = (*view)->Update();
      finest = changes.finest;
    }
    EXPECT_TRUE(finest);
    EXPECT_FALSE((*view)->drawn().empty());
    return absl::OkStatus();
  }

  ChildServer server_{{}};
  std::unique_ptr<Client> client_;
};

TEST_F(HeaderExamplesTest, Work) {
  const absl::Status got = GetsATile();
  ASSERT_TRUE(got.ok()) << got;
  CreatesAWorld(&client_);
  StreamsTiles(&client_);
  FetchesARegion(&client_);
  SamplesHeights(&client_);
  const absl::Status flown = Flies(&client_);
  EXPECT_TRUE(flown.ok()) << flown;
}

}  // namespace
}  // namespace thalweg::service
