// A terrain server inside the test: a pure function for a terrain, and faults on demand.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "proto/sphere/cube_sphere.h"
#include "tests/client/fake_session.h"
#include "thalweg/layer.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::client_test {

// The value of a layer at a vertex: smooth hills and some noise, a pure function.
std::int32_t TerrainAt(Layer layer, int level, std::int64_t x, std::int64_t y);

// A world that is a planet. It is in no list.
inline constexpr char kPlanet[] = "planet";
inline constexpr double kPlanetRadiusM = 1'737'400;

// The same of the planet: smooth, and a function of only the layer and the place.
std::int32_t PlanetTerrainAt(Layer layer, const sphere::Point& point);
// At a vertex of a face, on its edges that of the lowest face.
std::int32_t PlanetTerrainAt(Layer layer, int level, int face, std::int64_t x, std::int64_t y);

// The faults of a server. Each number counts down.
struct Faults {
  // Calls that fail as UNAVAILABLE before they begin.
  std::atomic<int> unavailable_calls = 0;
  // Calls that fail as RESOURCE_EXHAUSTED, to be made again after a millisecond.
  std::atomic<int> limited_calls = 0;
  // Calls that fail so without saying when.
  std::atomic<int> exhausted_calls = 0;
  // Streams that break off as UNAVAILABLE after `tiles_before_break` tiles.
  std::atomic<int> broken_streams = 0;
  std::atomic<int> tiles_before_break = 0;
  // Streams that end as if complete, one tile short.
  std::atomic<int> short_streams = 0;
  // Tiles that are not of the rectangle, whose bytes are no layer, and whose terrain differs by one
  // unit at one vertex.
  std::atomic<int> stray_tiles = 0;
  std::atomic<int> corrupt_tiles = 0;
  std::atomic<int> altered_tiles = 0;
  // Lists of worlds whose last page says that it follows itself.
  std::atomic<int> repeated_pages = 0;
  // Streams that send nothing until they are cancelled.
  std::atomic<int> silent_streams = 0;
  // While above 0: streams send their first tile again and again.
  std::atomic<int> endless_streams = 0;
};

// A server's false answers: each function changes an answer on its way out, if it is set. Set them
// before a client connects.
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
  // Serves at a free port of 127.0.0.1 until it is destroyed. Null: connections are plain.
  explicit FakeServer(std::shared_ptr<grpc::ServerCredentials> credentials = nullptr);
  ~FakeServer() override;

  // "127.0.0.1:PORT".
  const std::string& address() const { return address_; }

  Faults faults;
  Lies lies;
  // Sessions are of the world alpine, and of ground that GroundAt gives.
  static lod::Grid session_grid() { return {.cell_size_m = 512, .levels = 12}; }
  FakeSessions sessions;
  // Every StreamTiles request so far.
  std::vector<v1::StreamTilesRequest> stream_requests();
  // What every call of GetTile and StreamTiles so far named its tiles' area.
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
  // The height at a point is its easting, in height units. Counts the points of each call.
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
