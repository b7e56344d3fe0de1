// Servers and callers in one process, over loopback.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grpcpp/grpcpp.h"
#include "server/access/access_control.h"
#include "server/cache/tile_cache.h"
#include "server/calls/engine.h"
#include "server/rpc/rpc_server.h"
#include "server/session/session.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"
#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::bench {

// The hot server's cache has the tiles with coordinates from 0 to kHotSide - 1.
inline constexpr int kHotLevel = 4;
inline constexpr int kHotSide = 64;
inline constexpr char kHotWorld[] = "alpine";

// The product's server. In its cache, every hot tile has the bytes of one real tile.
class HotServer {
 public:
  explicit HotServer(const std::string& device);

  std::string address() const;
  // Servers of the same tiles that need a token, whose limits are never reached. One has TLS.
  std::string token_address() const;
  std::string tls_address() const;
  const cache::TileBytes& tile() const { return tile_; }
  const std::string& token() const { return token_; }
  // The root of the server's certificate.
  const std::string& root() const { return authority_.root(); }

 private:
  std::unique_ptr<rpc::RpcServer> Serve(access::AccessControl* access,
                                        const rpc::RpcOptions& options);

  const access::TestAuthority authority_;
  const access::TemporaryFolder folder_;
  const std::string token_;
  const std::unique_ptr<access::AccessControl> everyone_ = access::AccessControl::OfEveryone();
  std::unique_ptr<access::AccessControl> access_;
  session::SessionCounters sessions_;
  calls::Workers workers_;
  std::unique_ptr<world::WorldLibrary> worlds_;
  cache::TileCache cache_;
  std::unique_ptr<tile::TileService> tiles_;
  cache::TileBytes tile_;
  std::unique_ptr<rpc::RpcServer> server_;
  std::unique_ptr<rpc::RpcServer> token_server_;
  std::unique_ptr<rpc::RpcServer> tls_server_;
};

// A server to measure gRPC's own speed: its handlers only send the same bytes.
class BareServer {
 public:
  // Streams have kHotSide^2 messages.
  explicit BareServer(cache::TileBytes tile);
  ~BareServer();

  std::string address() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

// A caller that reads answers as bytes, without decoding them. Ends the program on an error.
class RawCaller {
 public:
  explicit RawCaller(const std::string& address);
  // Shows `token` if it is not empty, and uses TLS if `root` is not empty.
  RawCaller(const std::string& address, const std::string& token, const std::string& root);

  // Makes this many GetTile calls, `in_flight` at a time, for one hot tile after the other. Returns
  // the number of received bytes.
  std::uint64_t GetTiles(int calls, int in_flight);
  // Streams all hot tiles. Returns the number of received bytes.
  std::uint64_t StreamAll();
  // Wants all hot tiles in a session. Returns the number of received bytes.
  std::uint64_t FlyOverAll();

 private:
  std::shared_ptr<grpc::Channel> channel_;
  const std::string token_;
};

}  // namespace thalweg::bench
