// What a server counts: its calls, and the values of its parts, which are read at each scrape.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/access/tls_identity.h"
#include "server/cache/store_chain.h"
#include "server/cache/tile_cache.h"
#include "server/calls/call_listener.h"
#include "server/field/field.h"
#include "server/http/connection.h"
#include "server/metrics/families.h"
#include "server/raster/raster_service.h"
#include "server/rpc/rpc_server.h"
#include "server/session/session.h"
#include "server/tile/tile_service.h"

namespace thalweg::metrics {

// Metrics in Prometheus's text form.
using Collectables = std::vector<std::shared_ptr<prometheus::Collectable>>;

// The present values of the collectables, in Prometheus's text form 0.0.4.
std::string TextOf(const Collectables& collectables);

// Counts calls: their number, duration, size and result. Thread-safe.
class CallMetrics final : public calls::CallListener {
 public:
  CallMetrics();

  void Began(calls::Method method) override;
  void Sent(calls::Method method, std::size_t bytes) override;
  void Ended(const calls::CallReport& report) override;

  const std::shared_ptr<prometheus::Registry>& registry() const { return registry_; }

 private:
  // The metrics of one method. The registry owns them.
  struct OfMethod {
    prometheus::Gauge* running = nullptr;
    prometheus::Counter* succeeded = nullptr;
    prometheus::Histogram* seconds = nullptr;
    prometheus::Histogram* response_bytes = nullptr;
  };

  OfMethod& Of(calls::Method method) { return methods_[static_cast<std::size_t>(method)]; }

  const std::shared_ptr<prometheus::Registry> registry_;
  prometheus::Family<prometheus::Counter>& calls_;
  std::array<OfMethod, calls::kMethodCount> methods_;
};

// Metrics of the caches of tiles: memory, and the stores behind it. `stores` may be null. The
// stores must have different levels.
void AddCaches(const cache::TileCache& memory, const cache::StoreChain* stores, Families& families);

// The queues, runs and memory of the devices.
void AddField(const field::FieldStats& stats, Families& families);

// Where tiles came from, and how long encoding took.
void AddTiles(const tile::TileServiceStats& stats, Families& families);

// Metrics of sessions.
void AddSessions(const session::SessionCounters& counters, Families& families);

// Metrics of HTTP: its connections and rasters.
void AddConnections(const http::ConnectionCounters& counters, Families& families);
void AddRasters(const raster::RasterServiceStats& service, const sharing::LruStats& cache,
                Families& families);

// The resources that the process uses.
struct ProcessUse {
  std::uint64_t resident_bytes = 0;
  // The smallest of the machine's memory and the limits of its control group; 0 if unknown.
  std::uint64_t memory_limit_bytes = 0;
  std::uint64_t open_files = 0;
  // 0 if there is no limit.
  std::uint64_t max_files = 0;
};

// Reads /proc and /sys under the root. Values that can't be read are 0.
ProcessUse ReadProcessUse(const std::string& root = "");

void AddProcess(const ProcessUse& use, Families& families);

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
