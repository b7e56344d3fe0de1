// The gRPC server: the terrain service, reflection and the health service on one address.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/access/tls_identity.h"
#include "server/calls/admission.h"
#include "server/calls/engine.h"
#include "server/sharing/threads.h"

namespace grpc {
class Server;
class ServerCredentials;
}  // namespace grpc

namespace thalweg::rpc {

// Checks that the system has what gRPC takes when it starts. gRPC aborts the process where it gets
// no thread or file descriptor. So this takes as many as gRPC would, and gives them back.
// RESOURCE_EXHAUSTED if there are not enough.
absl::Status CheckRoomToStart();

class TerrainService;

// The max size of an answer.
inline constexpr int kMaxMessageBytes = 64 << 20;

// Limits of requests and connections. They are constants; only tests change them. A time of 0 means
// no limit.
struct RpcLimits {
  // So small that a few connections full of requests take less than max_memory_bytes.
  int max_request_bytes = 256 << 10;
  // Max calls at a time on one connection.
  int max_calls_per_connection = 128;
  // The time for TLS's handshake and HTTP/2's first settings together.
  std::chrono::seconds handshake_timeout{20};
  // A connection without calls for this time is closed; callers then connect again by themselves.
  std::chrono::seconds max_connection_idle{600};
  // A connection that was silent for this time is pinged. It is closed if it does not answer within
  // the timeout.
  std::chrono::seconds keepalive{60};
  std::chrono::seconds keepalive_timeout{20};
  // How long a connection of max_connection_age may finish its calls.
  std::chrono::seconds connection_grace{60};
  // How long a caller may take to read what is being written when the server ends its stream or
  // session, for example since its token is revoked. Then the call is cancelled.
  std::chrono::milliseconds end_patience{20'000};
};

struct RpcOptions {
  // Null for plain connections.
  std::shared_ptr<access::TlsIdentitySource> tls;
  // How much memory gRPC may use for requests that are being received, on all connections together.
  // Beyond it, gRPC ends calls and connections. 0: no limit.
  std::size_t max_memory_bytes = std::size_t{256} << 20;
  // How much memory the sessions' tables of tiles may take; see session::SessionContext.
  std::size_t session_bytes = std::size_t{256} << 20;
  // A connection of this age takes no more calls. It is closed after the grace. 0: it has no limit.
  std::chrono::seconds max_connection_age{0};
  // How often access is checked if no new call comes in; it ends calls whose access is revoked. 0:
  // such calls end only at the next new call.
  std::chrono::milliseconds access_interval{0};
  RpcLimits limits = {};
};

// Thread-safe. The engine must outlive it.
class RpcServer {
 public:
  // Serves on HOST:PORT; port 0 picks a free one. UNAVAILABLE if it can't listen there, for example
  // because another server does.
  static absl::StatusOr<std::unique_ptr<RpcServer>> Start(const calls::Engine& engine,
                                                          const std::string& address,
                                                          const RpcOptions& options = {});
  // Drains and cancels running calls at once, unless Drain was called.
  ~RpcServer();

  RpcServer(const RpcServer&) = delete;
  RpcServer& operator=(const RpcServer&) = delete;

  // The port that it listens on.
  int port() const { return port_; }
  // Whether new calls are let in, that is, until Drain.
  bool is_ready() const { return gate_.is_open(); }

  // Stops the server. Health becomes NOT_SERVING and new calls get UNAVAILABLE at once. Running
  // calls may finish within `patience` and are then cancelled. Returns when no call is left: false
  // if some were cancelled.
  bool Drain(std::chrono::milliseconds patience);

 private:
  RpcServer() = default;

  // The order matters: the service uses the gate, the server uses the service and its credentials.
  calls::CallGate gate_;
  std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::unique_ptr<TerrainService> service_;
  std::unique_ptr<grpc::Server> server_;
  // Its work checks access regularly; null if access is not watched.
  std::unique_ptr<sharing::TimerThreads> access_watch_;
  int port_ = 0;
};

}  // namespace thalweg::rpc
