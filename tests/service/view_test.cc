// A view of the library, over sessions of a real server.
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "tests/service/test_server.h"
#include "thalweg/client.h"
#include "thalweg/terrain_view.h"

namespace thalweg::service {
namespace {

constexpr char kWorld[] = "test-1";

std::unique_ptr<Client> ConnectTo(TestServer& server) {
  auto client = Client::Connect("127.0.0.1:" + std::to_string(server.rpc().port()));
  EXPECT_TRUE(client.ok()) << client.status();
  return *std::move(client);
}

Camera CameraAt(double east, double up) {
  return {.position_m = {east, 50, up},
          .velocity_m_s = {.east = 100},
          .direction = {.east = 1, .up = -0.3},
          .viewport_height_px = 400,
          .range_m = 6'000};
}

// Updates the view until the finest set is drawn. False if that takes more than a minute.
bool ReachFinest(TerrainView& view) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < until) {
    if (view.Update().finest) return true;
    view.Wait(std::chrono::milliseconds(1'000));
  }
  return false;
}

TEST(ViewTest, ReachesTheFinestSetThatTheServerSelects) {
  TestServer server;
  const auto client = ConnectTo(server);
  auto view = TerrainView::Open(*client, {.world = kWorld});
  ASSERT_TRUE(view.ok()) << view.status();
  ASSERT_TRUE((*view)->SetCamera(CameraAt(0, 100)).ok());
  ASSERT_TRUE(ReachFinest(**view));
  std::set<int> levels;
  for (const DrawnTile& drawn : (*view)->drawn()) levels.insert(drawn.key.level);
  EXPECT_GT(levels.size(), 2U);
  const TerrainStatistics statistics = (*view)->Statistics();
  EXPECT_EQ(statistics.tiles_failed, 0U);
  EXPECT_EQ(statistics.tiles_missing, 0U);
  EXPECT_EQ(statistics.tiles_corrupt, 0U);
}

TEST(ViewTest, StaysCompleteInFlight) {
  TestServer server;
  const auto client = ConnectTo(server);
  auto view = TerrainView::Open(*client, {.world = kWorld});
  ASSERT_TRUE(view.ok()) << view.status();
  ASSERT_TRUE((*view)->SetCamera(CameraAt(0, 100)).ok());
  ASSERT_TRUE(ReachFinest(**view));
  int lapses = 0;
  for (double east = 0; east < 6'000; east += 100) {
    ASSERT_TRUE((*view)->SetCamera(CameraAt(east, 100)).ok());
    if (!(*view)->Update().complete) ++lapses;
    (*view)->Wait(std::chrono::milliseconds(1'000));
  }
  EXPECT_EQ(lapses, 0);
  EXPECT_TRUE(ReachFinest(**view));
}

// The view's heights are those that the server samples, but rounded to the lattice.
TEST(ViewTest, SamplesTheSameHeightsAsTheServer) {
  TestServer server;
  const auto client = ConnectTo(server);
  auto view = TerrainView::Open(*client, {.world = kWorld});
  ASSERT_TRUE(view.ok()) << view.status();
  ASSERT_TRUE((*view)->SetCamera(CameraAt(0, 100)).ok());
  ASSERT_TRUE(ReachFinest(**view));
  // The server rounds a point's position within its cell. The ground is noise with a wavelength of
  // kilometres, so this changes heights by less than a metre.
  constexpr double kFractionM = 1;
  int level = 0;
  for (const DrawnTile& drawn : (*view)->drawn()) level = std::max(level, drawn.key.level);
  const double cell = (*view)->world().CellSizeM(level);
  std::vector<GroundPoint> points;
  for (int n = 0; n < 20; ++n) points.push_back({.east_m = 3.3 * n, .south_m = 50 + 1.7 * n});
  const auto heights = client->SampleHeights(kWorld, level, points);
  ASSERT_TRUE(heights.ok()) << heights.status();
  for (std::size_t n = 0; n < points.size(); ++n) {
    EXPECT_NEAR((*view)->HeightAt(points[n].east_m, points[n].south_m).value_or(1e9),
                (*heights)[n] / 65'536.0, cell / 64 + kFractionM)
        << n;
  }
}

TEST(ViewTest, EndsIfTheWorldIsUnknown) {
  TestServer server;
  const auto client = ConnectTo(server);
  EXPECT_EQ(TerrainView::Open(*client, {.world = "nowhere"}).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace thalweg::service
