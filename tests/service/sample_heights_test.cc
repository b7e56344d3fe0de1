#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <future>
#include <random>
#include <vector>

#include "proto/wire/tile_codec.h"
#include "server/tile/height_sampling.h"
#include "tests/field/test_world.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

using testing::HasSubstr;

grpc::Status Sample(TestServer& server, const v1::SampleHeightsRequest& request,
                    v1::SampleHeightsResponse& response) {
  grpc::ClientContext context;
  return server.stub().SampleHeights(&context, request, &response);
}

v1::SampleHeightsRequest RequestOf(int level) {
  v1::SampleHeightsRequest request;
  request.set_world("test-1");
  request.set_level(static_cast<std::uint32_t>(level));
  return request;
}

// The height of a vertex, as GetTile has it.
std::int32_t HeightAt(TestServer& server, int level, std::int64_t x, std::int64_t y) {
  PendingTile call(server, TileRequestOf(level, x >> 8, y >> 8));
  EXPECT_TRUE(call.Await().ok());
  const auto values = wire::DecodeLayer(call.tile().layers(0).data(), 257, 257, 0);
  return (*values)[static_cast<std::size_t>((y & 255) * 257 + (x & 255))];
}

TEST(SampleHeightsTest, VerticesAreExact) {
  TestServer server;
  const double cell_size_m = field::TestWorld()->level(1).cell_size_m;
  v1::SampleHeightsRequest request = RequestOf(1);
  const std::vector<std::pair<int, int>> vertices{{0, 0}, {255, 256}, {-1, -257}, {1000, 3}};
  for (const auto& [x, y] : vertices) {
    request.add_east_m(x * cell_size_m);
    request.add_south_m(y * cell_size_m);
  }
  v1::SampleHeightsResponse response;
  ASSERT_TRUE(Sample(server, request, response).ok());
  for (std::size_t n = 0; n < vertices.size(); ++n) {
    EXPECT_EQ(response.heights(static_cast<int>(n)),
              HeightAt(server, 1, vertices[n].first, vertices[n].second));
  }
}

TEST(SampleHeightsTest, PointsBetweenVerticesAreBilinear) {
  TestServer server;
  const double cell_size_m = field::TestWorld()->level(0).cell_size_m;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-300, 300);
  v1::SampleHeightsRequest request = RequestOf(0);
  for (int n = 0; n < 200; ++n) {
    request.add_east_m(place(random) * cell_size_m);
    request.add_south_m(place(random) * cell_size_m);
  }
  v1::SampleHeightsResponse response;
  ASSERT_TRUE(Sample(server, request, response).ok());
  for (int n = 0; n < 200; ++n) {
    const double u = request.east_m(n) / cell_size_m;
    const double v = request.south_m(n) / cell_size_m;
    const auto x = static_cast<std::int64_t>(std::floor(u));
    const auto y = static_cast<std::int64_t>(std::floor(v));
    const double north =
        std::lerp(HeightAt(server, 0, x, y), HeightAt(server, 0, x + 1, y), u - std::floor(u));
    const double south = std::lerp(HeightAt(server, 0, x, y + 1), HeightAt(server, 0, x + 1, y + 1),
                                   u - std::floor(u));
    // A rounded weight may be wrong by one unit, times the largest step between two neighbours.
    const double range = 4.3e9;
    EXPECT_NEAR(response.heights(n), std::lerp(north, south, v - std::floor(v)),
                range / 32'768 + 1);
  }
}

TEST(SampleHeightsTest, NoPointsGiveNoHeights) {
  TestServer server;
  v1::SampleHeightsResponse response;
  EXPECT_TRUE(Sample(server, RequestOf(0), response).ok());
  EXPECT_EQ(response.heights_size(), 0);
}

TEST(SampleHeightsTest, RefusesInvalidRequests) {
  TestServer server;
  v1::SampleHeightsResponse response;
  v1::SampleHeightsRequest unequal = RequestOf(0);
  unequal.add_east_m(1);
  EXPECT_EQ(Sample(server, unequal, response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::SampleHeightsRequest nowhere = unequal;
  nowhere.add_south_m(0.0 / 0.0);
  EXPECT_EQ(Sample(server, nowhere, response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  nowhere.set_south_m(0, 1e300);
  EXPECT_EQ(Sample(server, nowhere, response).error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(Sample(server, RequestOf(99), response).error_code(), grpc::StatusCode::OUT_OF_RANGE);
  v1::SampleHeightsRequest scattered = RequestOf(0);
  for (std::size_t n = 0; n <= tile::kMaxSampleTiles; ++n) {
    scattered.add_east_m(1e6 * static_cast<double>(n));
    scattered.add_south_m(0);
  }
  const grpc::Status status = Sample(server, scattered, response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("257 tiles"));
}

TEST(SampleHeightsTest, AnErrorOfATileIsReturned) {
  TestServer server;
  server.device().FailOnce([](const field::FakeRun&) { return true; },
                           absl::InternalError("broken"));
  v1::SampleHeightsRequest request = RequestOf(0);
  for (const double east : {0.0, 1e6}) {
    request.add_east_m(east);
    request.add_south_m(0);
  }
  v1::SampleHeightsResponse response;
  EXPECT_EQ(Sample(server, request, response).error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_TRUE(Sample(server, request, response).ok());
}

// Holds all threads that work on tiles.
class HeldWorkers {
 public:
  explicit HeldWorkers(sharing::WorkerPool& workers) {
    // One for each of the two threads of the test's server.
    for (std::promise<void>& begun : begun_) {
      workers.Post(
          kHolder, "hold a thread",
          [&begun, released = released_] {
            begun.set_value();
            released.wait();
            return absl::OkStatus();
          },
          [](const absl::Status&) {});
    }
    for (std::promise<void>& begun : begun_) begun.get_future().wait();
  }
  ~HeldWorkers() { release_.set_value(); }

 private:
  static constexpr std::uint64_t kHolder = 0;
  std::array<std::promise<void>, 2> begun_;
  std::promise<void> release_;
  const std::shared_future<void> released_ = release_.get_future().share();
};

// gRPC's threads read and write for all callers. To decode 256 tiles takes half a second.
TEST(SampleHeightsTest, HotTilesAreDecodedByWorkers) {
  TestServer server;
  v1::SampleHeightsRequest request = RequestOf(1);
  constexpr std::size_t kTiles = 6;
  for (std::size_t n = 0; n < kTiles; ++n) {
    const double cell_size_m = field::TestWorld()->level(1).cell_size_m;
    request.add_east_m((static_cast<double>(n) + 0.5) * 256 * cell_size_m);
    request.add_south_m(0);
    HeightAt(server, 1, static_cast<std::int64_t>(n) * 256 + 128, 0);
  }
  grpc::ClientContext context;
  v1::SampleHeightsResponse response;
  std::promise<grpc::Status> answer;
  std::atomic<bool> answered = false;
  {
    const HeldWorkers held(server.tiles().workers());
    server.stub().async()->SampleHeights(&context, &request, &response,
                                         [&](const grpc::Status& status) {
                                           answered = true;
                                           answer.set_value(status);
                                         });
    AwaitTrue([&] { return answered || server.tiles().workers().waiting() == kTiles; });
    EXPECT_FALSE(answered);
    // Another caller's hot tile needs no worker.
    HeightAt(server, 1, 0, 0);
  }
  EXPECT_TRUE(answer.get_future().get().ok());
  EXPECT_EQ(response.heights_size(), static_cast<int>(kTiles));
}

}  // namespace
}  // namespace thalweg::service
