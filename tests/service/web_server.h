// A TestServer with HTTP.
#pragma once

#include <memory>

#include "server/http/http_server.h"
#include "server/raster/raster_service.h"
#include "tests/service/test_server.h"

namespace thalweg::service {

class WebServer {
 public:
  explicit WebServer(TestServerOptions options = {}, const http::HttpOptions& http = {});
  // Opens the device's gate first.
  ~WebServer();

  TestServer& operator*() { return server_; }
  TestServer* operator->() { return &server_; }
  http::HttpServer& http() { return *http_; }
  raster::RasterService& rasters() { return *rasters_; }
  int port() const { return http_->port(); }
  const http::ConnectionCounters& counters() const { return counters_; }
  // How many blocks the device has computed.
  std::uint64_t blocks() { return server_.tiles().field_stats().blocks_computed; }

 private:
  http::ConnectionCounters counters_;
  TestServer server_;
  std::unique_ptr<raster::RasterService> rasters_;
  std::unique_ptr<http::HttpServer> http_;
};

}  // namespace thalweg::service
