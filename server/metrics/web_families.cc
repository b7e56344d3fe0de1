#include "server/metrics/web_families.h"

namespace thalweg::metrics {

void AddConnections(const http::ConnectionCounters& counters, Families& families) {
  Family::Gauge("thalweg_http_connections_open", "Connections of HTTP that have not ended")
      .Add(counters.open.load())
      .PutIn(families);
  Family::Counter("thalweg_http_connections_total", "Connections of HTTP that were let in")
      .Add(counters.begun.load())
      .PutIn(families);
  Family::Counter(
      "thalweg_http_connections_crowded_out_total",
      "Connections of HTTP, new or waiting for their peer, that had to go because there "
      "were too many")
      .Add(counters.crowded_out.load())
      .PutIn(families);
}

void AddRasters(const raster::RasterServiceStats& service, const raster::RasterCacheStats& cache,
                Families& families) {
  Family::Counter("thalweg_raster_lookups_total",
                  "Questions for a raster of HTTP, by what came of them in the cache of rasters")
      .Add(cache.hits, {{"outcome", "hit"}})
      .Add(cache.misses, {{"outcome", "miss"}})
      .PutIn(families);
  Family::Gauge("thalweg_raster_cache_bytes", "Bytes that the cache of rasters keeps")
      .Add(cache.bytes)
      .PutIn(families);
  Family::Counter("thalweg_raster_cache_evictions_total", "Rasters that made room for others")
      .Add(cache.evictions)
      .PutIn(families);
  Family::Seconds("thalweg_raster_render_seconds", "Rasters made of tiles, and what that took")
      .AddSeconds(service.rendered, service.render_seconds)
      .PutIn(families);
}

}  // namespace thalweg::metrics
