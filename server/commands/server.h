// The whole server as one object: worlds, backend, field, caches, tiles and calls.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/access/access_control.h"
#include "server/access/tls_identity.h"
#include "server/cache/store_chain.h"
#include "server/cache/tile_cache.h"
#include "server/calls/engine.h"
#include "server/commands/config.h"
#include "server/commands/logging.h"
#include "server/http/connection.h"
#include "server/http/http_server.h"
#include "server/metrics/server_families.h"
#include "server/raster/raster_service.h"
#include "server/rpc/rpc_server.h"
#include "server/session/session.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"

namespace thalweg::commands {

// Connections of metrics_listen. Scrapers need a few.
inline constexpr std::size_t kMetricsConnections = 64;

// As many of http::kMaxConnections, 1 or more, as leave room for gRPC, metrics, files and a cache
// on disk with up to `disk_files`. max_files: what the process may have open; 0: no limit.
std::size_t HttpConnectionsWithin(std::uint64_t max_files, std::size_t disk_files);

// A file that shows scripts the port that a server picked. Writes the number and a line end. The
// file appears whole or not at all.
absl::Status WritePortFile(const std::string& path, int port);

// The parts of a configuration's budgets.
struct Shares {
  // Three quarters of cache_mb; without HTTP all of it.
  std::size_t tile_cache_bytes = 0;
  std::size_t raster_cache_bytes = 0;
  // A third of request_memory_mb: for requests that arrive, for sessions, and for answers, each.
  std::size_t request_bytes = 0;
  // A quarter of max_calls_per_caller, rounded up; 0 is no limit for both.
  std::uint32_t max_streams = 0;
};
Shares SharesOf(const ServerConfig& config);

class Server {
 public:
  // Opens all parts and listens. The configuration must have passed CheckConfig. Errors of single
  // worlds are only logged.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerConfig& config);

  int port() const { return rpc_->port(); }
  // HOST:PORT where metrics are served; empty if they are not.
  const std::string& metrics_address() const { return metrics_address_; }
  // The port of HTTP; 0 if it is not served.
  int http_port() const { return http_ == nullptr ? 0 : http_->port(); }
  // Reads tokens and certificates again now, if their files have changed or were wrong.
  void LookAtFiles();
  // As RpcServer::Drain; HTTP drains at the same time.
  bool Drain(std::chrono::milliseconds patience);

 private:
  Server() = default;

  // All metrics. Called when the parts that they count exist.
  metrics::Collectables CountAll();
  absl::Status ServeMetrics(const calls::Engine& engine, const ServerConfig& config);
  absl::Status ServeHttp(const calls::Engine& engine, const ServerConfig& config);

  // The order matters: each member uses those before it.
  CallLog call_log_;
  std::unique_ptr<metrics::CallMetrics> call_metrics_;  // null if they are not served
  session::SessionCounters sessions_;
  http::ConnectionCounters connections_;
  http::ConnectionCounters metrics_connections_;
  std::unique_ptr<access::AccessControl> access_;
  std::shared_ptr<access::TlsIdentitySource> tls_;  // null without a certificate
  std::unique_ptr<world::WorldLibrary> worlds_;
  std::unique_ptr<cache::TileCache> cache_;
  std::unique_ptr<cache::StoreChain> stores_;  // null if there are none
  std::unique_ptr<tile::TileService> tiles_;
  calls::Workers workers_;
  std::unique_ptr<rpc::RpcServer> rpc_;
  std::unique_ptr<raster::RasterService> rasters_;  // null without HTTP
  std::unique_ptr<http::HttpServer> http_;          // null without an address
  std::unique_ptr<http::HttpServer> metrics_;       // null without an address of their own
  std::string metrics_address_;
};

}  // namespace thalweg::commands
