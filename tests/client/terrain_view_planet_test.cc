// Views of planets over sessions with a server in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "client/src/contract/messages.h"
#include "tests/client/fake_server.h"
#include "tests/proto/geometry/tiling_faults.h"
#include "thalweg/client.h"
#include "thalweg/terrain_view.h"
#include "thalweg/thalweg.h"

namespace thalweg {
namespace {

using ::testing::IsEmpty;

constexpr double kRadiusM = 1'000'000;
constexpr lod::WorldGrid kPlanetGrid{
    .cell_size_m = kRadiusM * std::numbers::pi / 2 / 256, .levels = 8, .radius_m = kRadiusM};

// A camera over a place that looks down and ahead.
Camera CameraOver(const LatLong& place, double height_m) {
  const SpaceVector at = SpacePointOf(place, kRadiusM + height_m);
  const Compass compass = CompassAt(at);
  const auto ahead = [&](double up, double north) { return north - 2 * up; };
  return {.viewport_height_px = 240,
          .tolerated_error_px = 4,
          .range_m = 400'000,
          .in_space = SpacePose{.position_m = at,
                                .direction = {ahead(compass.up.x, compass.north.x),
                                              ahead(compass.up.y, compass.north.y),
                                              ahead(compass.up.z, compass.north.z)}}};
}

class TerrainViewPlanetTest : public ::testing::Test {
 protected:
  TerrainViewPlanetTest() {
    server_.lies.world = [](v1::World& world) {
      world.mutable_spec()->mutable_sphere()->set_radius_m(kRadiusM);
      world.mutable_spec()->set_cell_size_m(kPlanetGrid.cell_size_m);
      world.mutable_spec()->set_levels(static_cast<std::uint32_t>(kPlanetGrid.levels));
    };
    server_.sessions.SetGrid(kPlanetGrid);
    auto client = Client::Connect(server_.address(), {});
    EXPECT_TRUE(client.ok()) << client.status();
    client_ = *std::move(client);
    auto view = TerrainView::Open(*client_, {.world = "alpine"});
    EXPECT_TRUE(view.ok()) << view.status();
    view_ = *std::move(view);
  }

  // Updates the view until the camera's finest set is drawn, and checks every set.
  bool ReachFinest(const Camera& camera) {
    EXPECT_TRUE(view_->SetCamera(camera).ok());
    const auto until = std::chrono::steady_clock::now() + client_test::kPatience;
    while (std::chrono::steady_clock::now() < until) {
      view_->Wait(std::chrono::milliseconds(1'000));
      const FrameChanges changes = view_->Update();
      std::set<wire::TileKey> roots;
      std::vector<wire::TileKey> keys;
      for (const DrawnTile& drawn : view_->drawn()) {
        keys.push_back(ToWire(drawn.key));
        roots.insert({.face = drawn.key.face});
      }
      EXPECT_THAT(lod::TilingFaults(kPlanetGrid, keys, {roots.begin(), roots.end()}), IsEmpty());
      EXPECT_TRUE(!changes.complete || roots.size() == 6);
      if (changes.finest) return true;
    }
    return false;
  }

  client_test::FakeServer server_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<TerrainView> view_;
};

TEST_F(TerrainViewPlanetTest, DrawsAllFacesAndFineGroundUnderTheCamera) {
  EXPECT_EQ(view_->world().radius_m, kRadiusM);
  // Places at a corner of three faces, near the pole, and on the other side.
  for (const LatLong& place : {LatLong{35.2, 44.9}, LatLong{85, 100}, LatLong{-20, -170}}) {
    ASSERT_TRUE(ReachFinest(CameraOver(place, 8'000)));
    int finest_level = 0;
    for (const DrawnTile& drawn : view_->drawn()) {
      finest_level = std::max(finest_level, drawn.key.level);
    }
    EXPECT_GE(finest_level, 4);
    EXPECT_TRUE(view_->HeightAt(place).has_value());
  }
  EXPECT_TRUE(view_->status().ok()) << view_->status();
}

TEST_F(TerrainViewPlanetTest, HeightsEqualThoseOfTheTilesOnEveryFace) {
  ASSERT_TRUE(ReachFinest(CameraOver({10, 44.99}, 8'000)));
  // Heights have no step at the edge between faces 0 and 1.
  double before = view_->HeightAt(LatLong{10, 44.9}).value_or(NAN);
  for (double longitude = 44.9; longitude < 45.1; longitude += 0.0005) {
    const double height = view_->HeightAt(LatLong{10, longitude}).value_or(NAN);
    EXPECT_LT(std::abs(height - before), 60) << longitude;
    before = height;
  }
  EXPECT_FALSE(view_->HeightAt(0, 0).has_value());
  EXPECT_FALSE(view_->CastRay({0, 0, 0}, {0, 0, 1}, 1e9).has_value());
  const SpaceVector over = SpacePointOf({10, 45}, kRadiusM + 9'000);
  const auto hit = view_->CastRayInSpace(over, {-over.x, -over.y, -over.z}, 20'000);
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->distance_m, 9'000 - view_->HeightAt(LatLong{10, 45}).value_or(NAN), 0.01);
}

TEST_F(TerrainViewPlanetTest, RefusesTheCamerasOfAPlane) {
  const absl::Status status = view_->SetCamera({});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "camera.in_space is missing: expected a pose, since the world is a planet");
}

TEST_F(TerrainViewPlanetTest, TheCInterfaceFliesToo) {
  thalweg_client* client = nullptr;
  thalweg_view* view = nullptr;
  ASSERT_EQ(thalweg_client_open(server_.address().c_str(), &client), THALWEG_OK);
  ASSERT_EQ(thalweg_view_open(client, "alpine", nullptr, &view), THALWEG_OK) << thalweg_error();
  EXPECT_EQ(thalweg_view_radius(view), kRadiusM);
  thalweg_camera camera;
  thalweg_camera_init(&camera);
  EXPECT_EQ(thalweg_view_set_camera(view, &camera), THALWEG_INVALID_ARGUMENT);
  thalweg_space_pose pose{};
  thalweg_planet_point(90, 0, kRadiusM + 50'000, &pose.position_m);
  EXPECT_NEAR(pose.position_m.z, kRadiusM + 50'000, 1e-6);
  pose.direction.z = -1;
  ASSERT_EQ(thalweg_view_set_space_camera(view, &camera, &pose), THALWEG_OK) << thalweg_error();
  const thalweg_changes* changes = nullptr;
  do {
    thalweg_view_wait(view, 1'000);
    ASSERT_EQ(thalweg_view_update(view, &changes), THALWEG_OK);
  } while (changes->complete == 0);
  double height_m = 0;
  EXPECT_EQ(thalweg_view_planet_height_at(view, 90, 0, &height_m), THALWEG_OK);
  EXPECT_EQ(thalweg_view_height_at(view, 0, 0, &height_m), THALWEG_NOT_FOUND);
  // The mesh of a tile of the set.
  const thalweg_tile& tile = changes->drawn[0];
  thalweg_space_vector origin;
  std::vector<float> positions(3 * THALWEG_TILE_VALUES);
  EXPECT_EQ(thalweg_planet_tile_vertices(&tile.key, kRadiusM, tile.heights, &origin,
                                         positions.data(), nullptr, nullptr),
            THALWEG_OK);
  double latitude = 0;
  double longitude = 0;
  thalweg_planet_place(&origin, &latitude, &longitude);
  EXPECT_GE(latitude, -90);
  thalweg_tile_key none = tile.key;
  none.face = 6;
  EXPECT_EQ(thalweg_planet_tile_vertices(&none, kRadiusM, tile.heights, &origin, nullptr, nullptr,
                                         nullptr),
            THALWEG_OUT_OF_RANGE);
  const double points[] = {10, 20, -30, 40};
  std::int32_t heights[2] = {};
  EXPECT_EQ(thalweg_client_sample_planet_heights(client, "alpine", 2, points, 2, heights),
            THALWEG_OK);
  EXPECT_EQ(heights[1], -30'000);
  thalweg_view_close(view);
  thalweg_client_close(client);
}

TEST(TerrainViewPlaneTest, RefusesTheCamerasOfAPlanet) {
  client_test::FakeServer server;
  auto client = Client::Connect(server.address(), {});
  ASSERT_TRUE(client.ok());
  auto view = TerrainView::Open(**client, {.world = "alpine"});
  ASSERT_TRUE(view.ok());
  EXPECT_EQ((*view)->SetCamera(CameraOver({0, 0}, 100)).message(),
            "camera.in_space is given, but the world is a plane");
  EXPECT_FALSE((*view)->HeightAt(LatLong{0, 0}).has_value());
}

}  // namespace
}  // namespace thalweg
