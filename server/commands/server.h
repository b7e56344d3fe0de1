// The whole server as one object: worlds, backend, field, caches, tiles and calls.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/access/access_control.h"
#include "server/access/tls_identity.h"
#include "server/cache/store_chain.h"
#include "server/cache/tile_cache.h"
#include "server/calls/workers.h"
#include "server/commands/call_log.h"
#include "server/commands/config.h"
#include "server/http/connection_counters.h"
#include "server/http/http_server.h"
#include "server/metrics/call_metrics.h"
#include "server/metrics/metrics_text.h"
#include "server/raster/raster_service.h"
#include "server/rpc/rpc_server.h"
#include "server/session/session_counters.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"

namespace thalweg::commands {

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
