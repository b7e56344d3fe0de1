#include "tests/service/web_server.h"

#include <gtest/gtest.h>

#include <utility>

namespace thalweg::service {

WebServer::WebServer(TestServerOptions options, const http::HttpOptions& http)
    : server_(std::move(options)),
      rasters_(
          std::make_unique<raster::RasterService>(&server_.tiles(), std::size_t{16} << 20, 2)) {
  http::Site site;
  site.engine = server_.engine();
  site.rasters = rasters_.get();
  site.connections = &counters_;
  site.metrics = [] { return std::string("counted 1\n"); };
  auto started = http::HttpServer::Start(std::move(site), "127.0.0.1:0", http);
  EXPECT_TRUE(started.ok()) << started.status();
  http_ = *std::move(started);
}

WebServer::~WebServer() { server_.device().Open(); }

}  // namespace thalweg::service
