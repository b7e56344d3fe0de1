// Views over sessions with a server in this process.
#include "thalweg/terrain_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "client/src/contract/messages.h"
#include "tests/client/fake_server.h"
#include "tests/proto/geometry/tiling_faults.h"
#include "thalweg/client.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::FakeServer;
using client_test::GroundAt;
using client_test::kPatience;
using client_test::SessionLog;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A camera that needs few tiles.
Camera CameraAt(double east, double south) {
  return {.position_m = {east, south, 1'500},
          .direction = {.east = 1, .south = 0.2, .up = -0.3},
          .viewport_height_px = 240,
          .tolerated_error_px = 2,
          .range_m = 20'000};
}

class TerrainViewTest : public ::testing::Test {
 protected:
  TerrainViewTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-view-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    ClientOptions options;
    options.first_backoff = std::chrono::milliseconds(1);
    options.max_backoff = std::chrono::milliseconds(5);
    auto client = Client::Connect(server_.address(), options);
    EXPECT_TRUE(client.ok()) << client.status();
    client_ = *std::move(client);
  }
  ~TerrainViewTest() override { fs::remove_all(folder_); }

  std::unique_ptr<TerrainView> Open(TerrainViewOptions options = {}) {
    options.world = "alpine";
    auto view = TerrainView::Open(*client_, options);
    EXPECT_TRUE(view.ok()) << view.status();
    return *std::move(view);
  }

  FakeServer server_;
  std::unique_ptr<Client> client_;
  fs::path folder_;
};

// Draws a view like a program: it keeps its own set, which it updates only by the changes.
class Watcher {
 public:
  explicit Watcher(TerrainView& view) : view_(view) {}

  // Draws a frame and checks it.
  void Frame() {
    const FrameChanges changes = view_.Update();
    arrived += changes.arrived.size();
    Apply(changes);
    ASSERT_EQ(Keys(), DrawnKeys());
    std::set<wire::TileKey> roots;
    std::vector<wire::TileKey> keys;
    for (const DrawnTile& drawn : view_.drawn()) {
      keys.push_back(ToWire(drawn.key));
      roots.insert({0, 0, drawn.key.x >> drawn.key.level, drawn.key.y >> drawn.key.level});
    }
    ASSERT_THAT(lod::TilingFaults({}, keys, {roots.begin(), roots.end()}), IsEmpty());
    if (complete && !changes.complete) ++lapses;
    complete = changes.complete;
    finest = changes.finest;
    ++frames;
  }

  // Draws frames until the camera's finest set is drawn. False if it does not come.
  bool ReachFinest() {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    do {
      view_.Wait(std::chrono::milliseconds(1'000));
      Frame();
      if (testing::Test::HasFatalFailure()) return false;
    } while (!finest && std::chrono::steady_clock::now() < until);
    return finest;
  }

  std::set<TileKey> Keys() const { return keys_; }

  bool complete = false;
  bool finest = false;
  int frames = 0;
  int lapses = 0;
  std::size_t arrived = 0;

 private:
  void Add(const DrawnTile& drawn) {
    EXPECT_TRUE(keys_.insert(drawn.key).second);
    EXPECT_EQ(drawn.tile->key, drawn.key);
  }
  void Remove(const TileKey& key) { EXPECT_EQ(keys_.erase(key), 1U); }
  void Replace(const std::vector<Replacement>& replacements) {
    for (const Replacement& replacement : replacements) {
      for (const TileKey& key : replacement.removed) Remove(key);
      for (const DrawnTile& drawn : replacement.added) Add(drawn);
    }
  }
  void Apply(const FrameChanges& changes) {
    for (const TileKey& key : changes.removed) Remove(key);
    Replace(changes.coarsened);
    Replace(changes.refined);
    for (const DrawnTile& drawn : changes.added) Add(drawn);
    for (const DrawnTile& drawn : changes.restitched) EXPECT_TRUE(keys_.contains(drawn.key));
  }
  std::set<TileKey> DrawnKeys() const {
    std::set<TileKey> keys;
    for (const DrawnTile& drawn : view_.drawn()) keys.insert(drawn.key);
    return keys;
  }

  TerrainView& view_;
  std::set<TileKey> keys_;
};

int MostSent(const SessionLog& log) {
  int most = 0;
  for (const auto& [key, times] : log.sent) most = std::max(most, times);
  return most;
}

TEST_F(TerrainViewTest, ReachesTheFinestSetAndStaysComplete) {
  const auto view = Open();
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(100, 200)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  EXPECT_TRUE(watcher.complete);
  EXPECT_EQ(watcher.lapses, 0);
  EXPECT_GT(watcher.Keys().size(), 20U);
  const TerrainStatistics statistics = view->Statistics();
  EXPECT_TRUE(statistics.connected);
  EXPECT_EQ(statistics.tiles_missing, 0U);
  EXPECT_EQ(statistics.tolerance_scale, 1);
  // The first tiles were needed before they had come.
  EXPECT_GT(statistics.tiles_needed, 0U);
  EXPECT_LT(statistics.tiles_in_time, statistics.tiles_needed);
  const SessionLog log = server_.sessions.log();
  EXPECT_EQ(MostSent(log), 1);
  EXPECT_EQ(log.wanted, 0U);
  EXPECT_LE(statistics.wire_bytes, log.bytes_sent);
  EXPECT_TRUE(view->status().ok());
}

TEST_F(TerrainViewTest, DrawsNothingWithoutACamera) {
  const auto view = Open();
  const FrameChanges changes = view->Update();
  EXPECT_FALSE(changes.complete);
  EXPECT_FALSE(changes.any());
  EXPECT_THAT(view->drawn(), IsEmpty());
  EXPECT_EQ(view->HeightAt(0, 0), std::nullopt);
  EXPECT_EQ(view->world().name, "alpine");
}

TEST_F(TerrainViewTest, StaysCompleteInFlightDespiteBrokenSessions) {
  server_.sessions.faults.broken = 3;
  server_.sessions.faults.tiles_before_break = 12;
  const auto view = Open();
  Watcher watcher(*view);
  Camera camera = CameraAt(0, 0);
  ASSERT_TRUE(view->SetCamera(camera).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  camera.velocity_m_s = {.east = 2'000};
  for (int step = 0; step < 40; ++step) {
    camera.position_m.east += 500;
    ASSERT_TRUE(view->SetCamera(camera).ok());
    view->Wait(std::chrono::milliseconds(1'000));
    watcher.Frame();
  }
  EXPECT_EQ(watcher.lapses, 0);
  ASSERT_TRUE(watcher.ReachFinest());
  const SessionLog log = server_.sessions.log();
  EXPECT_EQ(static_cast<std::uint64_t>(log.sessions), view->Statistics().reconnects + 1);
  EXPECT_EQ(log.sessions, 4);
  EXPECT_GT(log.had, 0U);
}

TEST_F(TerrainViewTest, ResumesABrokenSessionWithoutFetchingTwice) {
  server_.sessions.faults.broken = 4;
  server_.sessions.faults.tiles_before_break = 10;
  const auto view = Open();
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(-3'000, 9'000)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  const SessionLog log = server_.sessions.log();
  EXPECT_EQ(log.sessions, 5);
  // The client does not know tiles that were lost with a connection: at most a session's credit.
  int twice = 0;
  for (const auto& [key, times] : log.sent) twice += times > 1 ? 1 : 0;
  EXPECT_LE(twice, 4 * 10);
  EXPECT_GE(log.had, 1U);
}

TEST_F(TerrainViewTest, RequestsFailedTilesAgain) {
  server_.sessions.faults.failed_tiles = 3;
  const auto view = Open();
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  EXPECT_EQ(view->Statistics().tiles_failed, 3U);
}

// The client's backoff is an hour, but the server asks to retry after a moment.
TEST_F(TerrainViewTest, ARefusedSessionIsReopenedAfterTheServersDelay) {
  server_.sessions.faults.refused = 3;
  ClientOptions options;
  options.first_backoff = options.max_backoff = std::chrono::hours(1);
  const auto client = Client::Connect(server_.address(), options);
  ASSERT_TRUE(client.ok());
  auto view = TerrainView::Open(**client, {.world = "alpine"});
  ASSERT_TRUE(view.ok());
  Watcher watcher(**view);
  ASSERT_TRUE((*view)->SetCamera(CameraAt(0, 0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  EXPECT_EQ(server_.sessions.log().refused, 3);
  EXPECT_EQ(server_.sessions.log().sessions, 1);
}

// The opposite case: the backoff is a millisecond, and the server asks to retry after an hour. The
// backoff would pass many times while 100 other calls are answered.
TEST_F(TerrainViewTest, ARefusedSessionIsNotReopenedEarly) {
  server_.sessions.faults.refused = 1;
  server_.sessions.faults.refused_for_ms = 3'600'000;
  const auto view = Open();
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  while (server_.sessions.log().refused == 0) view->Wait(std::chrono::milliseconds(10));
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(client_->GetWorld("alpine").ok());
  EXPECT_EQ(server_.sessions.log().sessions, 0);
  EXPECT_TRUE(view->status().ok());
}

// One tile is refused for an hour, another one for a moment. The second tile comes. The first is
// not asked for again, neither by name nor together with the second.
TEST_F(TerrainViewTest, ARefusedTileIsNotRequestedBeforeItsDelayIsOver) {
  server_.sessions.faults.failed_tiles = 1;
  server_.sessions.faults.failed_for_ms = 3'600'000;
  const auto view = Open();
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  const auto settle = [&](auto condition) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!condition() && std::chrono::steady_clock::now() < until) {
      view->Wait(std::chrono::milliseconds(10));
      watcher.Frame();
    }
    EXPECT_TRUE(condition());
  };
  settle([&] { return view->Statistics().tiles_failed == 1; });
  server_.sessions.faults.failed_for_ms = 1;
  server_.sessions.faults.failed_tiles = 1;
  ASSERT_TRUE(view->SetCamera(CameraAt(9'000, 0)).ok());
  settle([&] { return view->Statistics().tiles_failed == 2; });
  settle([&] { return view->Statistics().tiles_missing <= 1; });
  EXPECT_FALSE(watcher.finest);
  EXPECT_EQ(server_.sessions.log().wanted, 0U);
}

TEST_F(TerrainViewTest, FetchesACorruptTileAgain) {
  server_.sessions.faults.corrupt_tiles = 2;
  const auto view = Open();
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  EXPECT_EQ(view->Statistics().tiles_corrupt, 2U);
  EXPECT_GE(MostSent(server_.sessions.log()), 2);
}

TEST_F(TerrainViewTest, AbandonsASilentSession) {
  server_.sessions.faults.silent = 1;
  ClientOptions options;
  options.stream_timeout = std::chrono::milliseconds(50);
  options.first_backoff = std::chrono::milliseconds(1);
  const auto client = Client::Connect(server_.address(), options);
  ASSERT_TRUE(client.ok());
  auto view = TerrainView::Open(**client, {.world = "alpine"});
  ASSERT_TRUE(view.ok());
  Watcher watcher(**view);
  ASSERT_TRUE((*view)->SetCamera(CameraAt(0, 0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  EXPECT_GE(server_.sessions.log().sessions, 2);
}

TEST_F(TerrainViewTest, DrawsCoarserGroundWithLittleMemory) {
  const auto camera_at = [](double east) {
    Camera camera = CameraAt(east, 0);
    camera.tolerated_error_px = 0.5;
    return camera;
  };
  const auto ample = Open();
  Watcher watcher(*ample);
  ASSERT_TRUE(ample->SetCamera(camera_at(0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  const std::size_t wanted = ample->Statistics().tiles_wanted;
  ASSERT_GT(wanted, 100U);

  const std::size_t budget = 80 * 264'196;
  const auto narrow = Open({.memory_bytes = budget});
  Watcher narrow_watcher(*narrow);
  // The tiles that a place needs depend on timing, so the flight goes on until tiles are evicted.
  constexpr int kFewest = 20;
  constexpr int kMax = 200;
  for (int step = 0; step < kFewest || (step < kMax && narrow->Statistics().tiles_evicted == 0);
       ++step) {
    ASSERT_TRUE(narrow->SetCamera(camera_at(200'000.0 * step)).ok());
    ASSERT_TRUE(narrow_watcher.ReachFinest());
  }
  const TerrainStatistics statistics = narrow->Statistics();
  EXPECT_GT(statistics.tolerance_scale, 1);
  EXPECT_LE(statistics.tiles_wanted, 80U);
  EXPECT_LE(statistics.memory_bytes, budget);
  EXPECT_GT(statistics.tiles_evicted, 0U);
}

TEST_F(TerrainViewTest, FindsTilesOnDiskThatAnotherViewFetched) {
  const TerrainViewOptions options{.cache_folder = folder_.string()};
  std::size_t tiles = 0;
  {
    const auto view = Open(options);
    Watcher watcher(*view);
    ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
    ASSERT_TRUE(watcher.ReachFinest());
    tiles = watcher.arrived;
  }
  const auto view = Open(options);
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  const TerrainStatistics statistics = view->Statistics();
  EXPECT_EQ(statistics.tiles_received, 0U);
  // Now that all facts are known, the view may need fewer tiles than before.
  EXPECT_GT(statistics.disk_reads, 0U);
  EXPECT_GE(statistics.tiles_had, tiles);
}

// The twin: damage is noticed, and damaged tiles are fetched.
TEST_F(TerrainViewTest, FetchesTilesThatAreDamagedOnDisk) {
  const TerrainViewOptions options{.cache_folder = folder_.string()};
  {
    const auto view = Open(options);
    Watcher watcher(*view);
    ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
    ASSERT_TRUE(watcher.ReachFinest());
  }
  int damaged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    // Damages all tiles of level 0, which every view needs.
    if (!entry.path().filename().string().starts_with("0_0_")) continue;
    std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file.put('?');
    ++damaged;
  }
  ASSERT_GE(damaged, 1);
  const auto view = Open(options);
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  EXPECT_EQ(view->Statistics().disk_corrupt, static_cast<std::uint64_t>(damaged));
  // A few other tiles may be fetched while the facts of these are unknown.
  EXPECT_GE(view->Statistics().tiles_received, static_cast<std::uint64_t>(damaged));
  EXPECT_LT(view->Statistics().tiles_received, view->Statistics().disk_reads / 2);
}

TEST_F(TerrainViewTest, StartsOverIfTheWorldIsDifferent) {
  const auto view = Open();
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  const std::string before = view->drawn().front().tile->world_id;
  server_.sessions.SetWorldId("of another world");
  server_.sessions.BreakAll();
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (view->drawn().empty() || view->drawn().front().tile->world_id == before) {
    ASSERT_LT(std::chrono::steady_clock::now(), until);
    view->Wait(std::chrono::milliseconds(1'000));
    watcher.Frame();
  }
  ASSERT_TRUE(watcher.finest || watcher.ReachFinest());
  std::set<std::string> worlds;
  for (const DrawnTile& drawn : view->drawn()) worlds.insert(drawn.tile->world_id);
  EXPECT_EQ(worlds.size(), 1U);
  EXPECT_FALSE(worlds.contains(before));
  EXPECT_EQ(view->Statistics().reconnects, 1U);
}

TEST_F(TerrainViewTest, CallsBackOnTheThreadThatUpdates) {
  const auto view = Open();
  ASSERT_TRUE(view->SetCamera(CameraAt(0, 0)).ok());
  const std::thread::id here = std::this_thread::get_id();
  std::set<TileKey> keys;
  const auto add = [&](const DrawnTile& drawn) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    keys.insert(drawn.key);
  };
  const auto replace = [&](const Replacement& replacement) {
    for (const TileKey& key : replacement.removed) keys.erase(key);
    for (const DrawnTile& drawn : replacement.added) add(drawn);
  };
  const TerrainCallbacks callbacks{.added = add,
                                   .removed = [&](const TileKey& key) { keys.erase(key); },
                                   .refined = replace,
                                   .coarsened = replace,
                                   .restitched = nullptr};
  const auto until = std::chrono::steady_clock::now() + kPatience;
  bool finest = false;
  while (!finest && std::chrono::steady_clock::now() < until) {
    view->Wait(std::chrono::milliseconds(1'000));
    finest = view->Update(callbacks).finest;
  }
  EXPECT_TRUE(finest);
  std::set<TileKey> drawn;
  for (const DrawnTile& tile : view->drawn()) drawn.insert(tile.key);
  EXPECT_EQ(keys, drawn);
}

TEST_F(TerrainViewTest, FindsTheGroundUnderACamera) {
  const auto view = Open();
  Watcher watcher(*view);
  ASSERT_TRUE(view->SetCamera(CameraAt(1'024, 2'048)).ok());
  ASSERT_TRUE(watcher.ReachFinest());
  // The finest drawn tile at this point, and its vertex there.
  int level = -1;
  const lod::WorldGrid grid = FakeServer::session_grid();
  for (const DrawnTile& drawn : view->drawn()) {
    const double side = lod::TileSizeM(grid, drawn.key.level);
    if (std::floor(1'024 / side) == static_cast<double>(drawn.key.x) &&
        std::floor(2'048 / side) == static_cast<double>(drawn.key.y)) {
      level = std::max(level, drawn.key.level);
    }
  }
  ASSERT_GT(level, 2);
  const double cell = lod::CellSizeM(grid, level);
  const double expected =
      GroundAt(grid, level, std::llround(1'024 / cell), std::llround(2'048 / cell)) / 65'536.0;
  EXPECT_DOUBLE_EQ(view->HeightAt(1'024, 2'048).value_or(-1), expected);
  const auto hit = view->CastRay({1'024, 2'048, 1'500}, {.up = -1}, 3'000);
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->position_m.up, expected, 1e-9);
  EXPECT_EQ(hit->level, level);
}

TEST_F(TerrainViewTest, RefusesInvalidOptions) {
  EXPECT_EQ(TerrainView::Open(*client_, {.world = "alps"}).status().code(),
            absl::StatusCode::kNotFound);
  for (const TerrainViewOptions& options :
       {TerrainViewOptions{.world = "alpine", .layers = {Layer::kWaterDepth}},
        TerrainViewOptions{.world = "alpine", .layers = {Layer::kFlow, Layer::kFlow}},
        TerrainViewOptions{.world = "alpine", .memory_bytes = 1 << 20},
        TerrainViewOptions{.world = "alpine", .lookahead_s = 61},
        TerrainViewOptions{.world = "alpine", .credit_tiles = 0}}) {
    EXPECT_EQ(TerrainView::Open(*client_, options).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  const auto view = Open();
  Camera camera = CameraAt(0, 0);
  camera.vertical_fov_deg = 0;
  EXPECT_THAT(std::string(view->SetCamera(camera).message()), HasSubstr("vertical_fov_deg"));
}

TEST_F(TerrainViewTest, SplitsManyHeightsIntoSeveralCalls) {
  std::vector<GroundPoint> points;
  for (int n = 0; n < 10'000; ++n) points.push_back({.east_m = n * 0.25, .south_m = 3});
  const auto heights = client_->SampleHeights("alpine", 11, points);
  ASSERT_TRUE(heights.ok()) << heights.status();
  ASSERT_EQ(heights->size(), points.size());
  EXPECT_EQ((*heights)[4'000], 1'000);
  // The first call has the most points that a call may have.
  EXPECT_THAT(server_.sample_counts(), testing::ElementsAre(8'192, 1'808));
}

TEST_F(TerrainViewTest, SplitsAPlanetsHeightsByTheLimitOfTiles) {
  // At level 11, each point is in another tile, and a call may need 256 tiles.
  std::vector<LatLong> points;
  for (int n = 0; n < 600; ++n) points.push_back({.latitude = n * 0.1, .longitude = -n * 0.3});
  const auto heights = client_->SamplePlanetHeights("alpine", 11, points);
  ASSERT_TRUE(heights.ok()) << heights.status();
  ASSERT_EQ(heights->size(), 600U);
  for (int n = 0; n < 600; ++n) EXPECT_EQ((*heights)[static_cast<std::size_t>(n)], n * 100);
  EXPECT_THAT(server_.sample_counts(), testing::ElementsAre(256, 256, 88));
}

}  // namespace
}  // namespace thalweg
