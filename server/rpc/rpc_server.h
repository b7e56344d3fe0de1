// The listening server: the terrain service, reflection and the health service on one address.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/rpc/call_gate.h"
#include "server/rpc/engine.h"

namespace grpc {
class Server;
}

namespace thalweg::rpc {

class TerrainService;

// Messages in either direction may have so many bytes.
inline constexpr int kMaxMessageBytes = 64 << 20;

// Thread-safe. The engine outlives it.
class RpcServer {
 public:
  // Serves on HOST:PORT; port 0 picks a free one. UNAVAILABLE when the address can't be had, for
  // one since another server has it.
  static absl::StatusOr<std::unique_ptr<RpcServer>> Start(const Engine& engine,
                                                          const std::string& address);
  // Drains without patience, unless Drain has been called.
  ~RpcServer();

  RpcServer(const RpcServer&) = delete;
  RpcServer& operator=(const RpcServer&) = delete;

  // The port that it listens on.
  int port() const { return port_; }

  // Stops: health turns NOT_SERVING and new calls get UNAVAILABLE at once, running ones may finish
  // within `patience` and are cancelled then. False when some were. Returns when all calls are
  // gone.
  bool Drain(std::chrono::milliseconds patience);

 private:
  RpcServer() = default;

  // The service refers to the gate, the server to the service.
  CallGate gate_;
  std::unique_ptr<TerrainService> service_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

}  // namespace thalweg::rpc
