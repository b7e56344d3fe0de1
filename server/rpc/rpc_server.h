// The listening server: the terrain service, reflection and the health service on one address.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/access/tls_identity.h"
#include "server/calls/call_gate.h"
#include "server/calls/engine.h"
#include "server/rpc/access_watch.h"

namespace grpc {
class Server;
class ServerCredentials;
}  // namespace grpc

namespace thalweg::rpc {

class TerrainService;

// The most bytes of an answer.
inline constexpr int kMaxMessageBytes = 64 << 20;

// Limits of connections. A time of 0: no limit.
struct RpcOptions {
  // Null: plain connections.
  std::shared_ptr<access::TlsIdentitySource> tls;
  // Whether every caller can read the service's description.
  bool reflection = true;
  // Small enough that a few connections full of such requests take less than max_memory_bytes.
  int max_request_bytes = 256 << 10;
  // Calls at a time on one connection.
  int max_calls_per_connection = 128;
  // How much gRPC may hold of requests that are being received, on all connections together; beyond
  // that it ends calls and connections. 0: no limit.
  std::size_t max_memory_bytes = std::size_t{256} << 20;
  // How much memory sessions may take to keep account of tiles; see session::Room.
  std::size_t session_bytes = std::size_t{256} << 20;
  // Time for TLS's handshake and HTTP/2's first settings together.
  std::chrono::seconds handshake_timeout{20};
  // A connection without a call for this time is closed; callers connect again by themselves.
  std::chrono::seconds max_connection_idle{600};
  // A connection that was silent for this time is pinged, and closed when it does not answer within
  // the timeout.
  std::chrono::seconds keepalive{60};
  std::chrono::seconds keepalive_timeout{20};
  // A connection of this age takes no more calls, and is closed after the grace.
  std::chrono::seconds max_connection_age{0};
  std::chrono::seconds connection_grace{60};
  // How often access is checked while no new call comes in; calls whose access is revoked end then.
  // 0: never, such calls end at the next new call.
  std::chrono::milliseconds access_interval{0};
};

// Thread-safe. The engine outlives it.
class RpcServer {
 public:
  // Serves on HOST:PORT; port 0 picks a free one. UNAVAILABLE when it can't listen there, for
  // example since another server does.
  static absl::StatusOr<std::unique_ptr<RpcServer>> Start(const calls::Engine& engine,
                                                          const std::string& address,
                                                          const RpcOptions& options = {});
  // Drains without patience, unless Drain has been called.
  ~RpcServer();

  RpcServer(const RpcServer&) = delete;
  RpcServer& operator=(const RpcServer&) = delete;

  // The port that it listens on.
  int port() const { return port_; }
  // Whether new calls are let in: until Drain.
  bool is_ready() const { return gate_.is_open(); }

  // Stops: health turns NOT_SERVING and new calls get UNAVAILABLE at once; running ones may finish
  // within `patience` and are then cancelled. False when some were cancelled. Returns when no call
  // is left.
  bool Drain(std::chrono::milliseconds patience);

 private:
  RpcServer() = default;

  // The service refers to the gate, the server to the service and its credentials.
  calls::CallGate gate_;
  std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::unique_ptr<TerrainService> service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<AccessWatch> access_watch_;  // null: none
  int port_ = 0;
};

}  // namespace thalweg::rpc
