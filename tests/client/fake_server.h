// A terrain server in the test's process. Its terrain is a pure function, and tests set its faults.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/geometry/cube_sphere.h"
#include "tests/client/fake_session.h"
#include "thalweg/layer.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::client_test {

// A limit for waits. Whatever should happen takes much less.
inline constexpr std::chrono::milliseconds kPatience{120'000};

// A status's message, for matchers.
inline std::string TextOf(const absl::Status& status) { return std::string(status.message()); }

// The value of a layer at a vertex: smooth hills and some noise.
std::int32_t TerrainAt(Layer layer, int level, std::int64_t x, std::int64_t y);

// A world that is a planet. ListWorlds does not list it.
inline constexpr char kPlanet[] = "planet";
inline constexpr double kPlanetRadiusM = 1'737'400;

// The planet's value. It is smooth and depends only on the layer and the place.
std::int32_t PlanetTerrainAt(Layer layer, const sphere::Vector& point);
// The planet's value at a vertex of a face; on edges, that of the face with the lowest number.
std::int32_t PlanetTerrainAt(Layer layer, int level, int face, std::int64_t x, std::int64_t y);

// The faults of a server. Each number counts down.
struct Faults {
  // Calls that fail as UNAVAILABLE before they begin.
  std::atomic<int> unavailable_calls = 0;
  // Calls that fail as RESOURCE_EXHAUSTED, with a retry delay of a millisecond.
  std::atomic<int> limited_calls = 0;
  // Calls that fail as RESOURCE_EXHAUSTED without a retry delay.
  std::atomic<int> exhausted_calls = 0;
  // Streams that break off as UNAVAILABLE after `tiles_before_break` tiles.
  std::atomic<int> broken_streams = 0;
  std::atomic<int> tiles_before_break = 0;
  // Streams that end with OK, although one tile is missing.
  std::atomic<int> short_streams = 0;
  // Tiles outside the rectangle, tiles whose bytes are not a layer, and tiles that differ by one
  // unit at one vertex.
  std::atomic<int> stray_tiles = 0;
  std::atomic<int> corrupt_tiles = 0;
  std::atomic<int> altered_tiles = 0;
  // Lists of worlds whose last page names itself as the next one.
  std::atomic<int> repeated_pages = 0;
  // Streams that send nothing until they are cancelled.
  std::atomic<int> silent_streams = 0;
  // While it is above 0, streams send their first tile again and again.
  std::atomic<int> endless_streams = 0;
};

// False answers: each function that is set changes answers before they are sent. Set them before a
// client connects.
struct Lies {
  std::function<void(v1::ListWorldsResponse&)> worlds;
  std::function<void(v1::World&)> world;
  std::function<void(v1::Tile&)> tile;
  std::function<void(v1::SampleHeightsResponse&)> heights;
  // The outcome of GetWorld.
  std::function<void(grpc::Status&)> status;
};

class FakeServer final : public v1::TerrainService::Service {
 public:
  // Serves at a free port of 127.0.0.1 until it is destroyed. Null: without TLS.
  explicit FakeServer(std::shared_ptr<grpc::ServerCredentials> credentials = nullptr);
  ~FakeServer() override;

  // "127.0.0.1:PORT".
  const std::string& address() const { return address_; }

  Faults faults;
  Lies lies;
  // Sessions have the world "alpine". Its ground is GroundAt.
  static lod::WorldGrid session_grid() { return {.cell_size_m = 512, .levels = 12}; }
  FakeSessions sessions;
  // Every StreamTiles request so far.
  std::vector<v1::StreamTilesRequest> stream_requests();
  // The area that each call of GetTile and StreamTiles so far has named.
  std::vector<std::string> areas();

  grpc::Status ListWorlds(grpc::ServerContext* context, const v1::ListWorldsRequest* request,
                          v1::ListWorldsResponse* response) override;
  grpc::Status GetWorld(grpc::ServerContext* context, const v1::GetWorldRequest* request,
                        v1::GetWorldResponse* response) override;
  grpc::Status GetTile(grpc::ServerContext* context, const v1::GetTileRequest* request,
                       v1::GetTileResponse* response) override;
  grpc::Status StreamTiles(grpc::ServerContext* context, const v1::StreamTilesRequest* request,
                           grpc::ServerWriter<v1::StreamTilesResponse>* writer) override;
  grpc::Status Session(grpc::ServerContext* context, FakeSessions::Stream* stream) override;
  // The height at a point is its easting, in height units. Notes how many points each call has.
  grpc::Status SampleHeights(grpc::ServerContext* context, const v1::SampleHeightsRequest* request,
                             v1::SampleHeightsResponse* response) override;
  std::vector<int> sample_counts();

 private:
  void NoteArea(const grpc::ServerContext& context);

  std::string address_;
  std::mutex mutex_;
  std::vector<v1::StreamTilesRequest> stream_requests_;
  std::vector<std::string> areas_;
  std::vector<int> sample_counts_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace thalweg::client_test
