// Servers and callers in one process, over the loopback device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grpcpp/grpcpp.h"
#include "server/access/access_control.h"
#include "server/cache/tile_cache.h"
#include "server/calls/workers.h"
#include "server/rpc/rpc_server.h"
#include "server/session/session_counters.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"
#include "tests/access/certificates.h"
#include "tests/access/temporary_folder.h"

namespace thalweg::bench {

// Tiles of these coordinates, 0 to kHotSide - 1 both ways, are in the hot server's cache.
inline constexpr int kHotLevel = 4;
inline constexpr int kHotSide = 64;
inline constexpr char kHotWorld[] = "alpine";

// The product's own server, with a cache in which every hot tile has the bytes of one real tile.
class HotServer {
 public:
  explicit HotServer(const std::string& device);

  std::string address() const;
  // The same tiles for a token with limits that are not reached, plainly and behind TLS.
  std::string token_address() const;
  std::string tls_address() const;
  const cache::TileBytes& tile() const { return tile_; }
  const std::string& token() const { return token_; }
  // The source of the certificate.
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

// gRPC's own speed: the same methods by handlers that only send the same bytes.
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

// A caller that takes answers as bytes, without decoding them. Ends the program on an error.
class RawCaller {
 public:
  explicit RawCaller(const std::string& address);
  // Shows a token, and encrypts if it is given what the server's certificate comes from.
  RawCaller(const std::string& address, const std::string& token, const std::string& root);

  // Makes so many GetTile calls, `in_flight` at a time, of one hot tile after the other. Gives the
  // bytes that came.
  std::uint64_t GetTiles(int calls, int in_flight);
  // Streams all hot tiles. Gives the bytes that came.
  std::uint64_t StreamAll();
  // Takes all hot tiles through a session. Gives the bytes that came.
  std::uint64_t FlyOverAll();

 private:
  std::shared_ptr<grpc::Channel> channel_;
  const std::string token_;
};

}  // namespace thalweg::bench
