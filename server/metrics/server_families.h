// The values that a server counts itself. They are read at each scrape.
#pragma once

#include <prometheus/collectable.h>

#include <memory>
#include <string>

#include "server/access/tls_identity.h"
#include "server/cache/store_chain.h"
#include "server/cache/tile_cache.h"
#include "server/http/connection_counters.h"
#include "server/metrics/families.h"
#include "server/raster/raster_service.h"
#include "server/rpc/rpc_server.h"
#include "server/session/session_counters.h"
#include "server/tile/tile_service.h"

namespace thalweg::metrics {

// Not owned. What is null is left out.
struct Sources {
  const rpc::RpcServer* rpc = nullptr;
  const tile::TileService* tiles = nullptr;
  const cache::TileCache* memory = nullptr;
  const cache::StoreChain* stores = nullptr;
  const session::SessionCounters* sessions = nullptr;
  const http::ConnectionCounters* connections = nullptr;
  const raster::RasterService* rasters = nullptr;
  // Shared with the servers that use the certificate.
  std::shared_ptr<access::TlsIdentitySource> tls = nullptr;
  // The program's version.
  std::string version;
};

// Thread-safe. The sources must outlive it.
class ServerFamilies final : public prometheus::Collectable {
 public:
  explicit ServerFamilies(Sources sources) : sources_(std::move(sources)) {}

  Families Collect() const override;

 private:
  const Sources sources_;
};

}  // namespace thalweg::metrics
