// A server in the test's process, on its own port, and a client of it.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/security/credentials.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/access/access_control.h"
#include "server/backend/backend.h"
#include "server/cache/store_chain.h"
#include "server/calls/engine.h"
#include "server/rpc/rpc_server.h"
#include "server/session/session.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"
#include "tests/field/fake_backend.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::service {

struct TestServerOptions {
  // Null: a fake backend over the server's device().
  std::unique_ptr<backend::Backend> backend;
  // Empty: field::TestWorld.
  std::vector<std::shared_ptr<const world::World>> worlds;
  // Null: a library of `worlds`.
  std::unique_ptr<world::WorldLibrary> library;
  // Null: every caller may do everything.
  std::unique_ptr<access::AccessControl> access;
  // Only for a TokenServer: each caller's limits, and the trusted proxies.
  access::CallerLimits access_limits = {};
  std::string proxies = {};
  rpc::RpcOptions rpc;
  // They must outlive the server.
  calls::CallListeners listeners = {};
  // The credentials of channel(); null: without TLS.
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  std::size_t cache_bytes = std::size_t{64} << 20;
  // Empty: there is no store behind the cache.
  std::vector<std::unique_ptr<cache::TileStore>> stores;
  int block_cells = 256;
  // How many requests may wait for the device.
  std::size_t max_requests = 8'192;
  // The room for answers.
  std::size_t answer_bytes = std::size_t{256} << 20;
};

class TestServer {
 public:
  TestServer() : TestServer(TestServerOptions{}) {}
  explicit TestServer(TestServerOptions options);
  // Opens the device's gate first.
  ~TestServer();

  v1::TerrainService::Stub& stub() { return *stub_; }
  const std::shared_ptr<grpc::Channel>& channel() { return channel_; }
  rpc::RpcServer& rpc() { return *rpc_; }
  // "127.0.0.1:PORT".
  std::string address() const { return "127.0.0.1:" + std::to_string(rpc_->port()); }
  // The engine that its calls delegate to.
  const calls::Engine& engine() const { return engine_; }
  tile::TileService& tiles() { return *tiles_; }
  cache::TileCache& cache() { return cache_; }
  const cache::StoreChain& stores() { return stores_; }
  field::FakeDevice& device() { return *device_; }
  const session::SessionCounters& sessions() const { return sessions_; }

 private:
  const std::shared_ptr<field::FakeDevice> device_ = std::make_shared<field::FakeDevice>();
  std::unique_ptr<access::AccessControl> access_;
  std::unique_ptr<world::WorldLibrary> worlds_;
  session::SessionCounters sessions_;
  cache::TileCache cache_;
  cache::StoreChain stores_;
  std::unique_ptr<tile::TileService> tiles_;
  calls::Workers workers_;
  calls::Engine engine_;
  std::unique_ptr<rpc::RpcServer> rpc_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::TerrainService::Stub> stub_;
};

// A request for an exact tile of the test world.
v1::GetTileRequest TileRequestOf(int level, std::int64_t x, std::int64_t y);
// A request for a rectangle of exact tiles.
v1::StreamTilesRequest RectangleRequestOf(int level, std::int64_t x, std::int64_t y,
                                          std::uint32_t columns, std::uint32_t rows);

// A call that runs beside the test.
class PendingTile {
 public:
  PendingTile(TestServer& server, const v1::GetTileRequest& request);
  // Cancels the call and waits for its end.
  ~PendingTile();

  void Cancel() { context_.TryCancel(); }
  // Waits for the call's end.
  grpc::Status Await();
  const v1::Tile& tile() const { return response_.tile(); }

 private:
  grpc::ClientContext context_;
  const v1::GetTileRequest request_;
  v1::GetTileResponse response_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<grpc::Status> status_;
};

// Returns when the condition is true. Calls reach the server some time after a test makes them, so
// tests wait for their effect. If it never comes, CTest's time limit ends the test.
void AwaitTrue(const std::function<bool()>& condition);

}  // namespace thalweg::service
