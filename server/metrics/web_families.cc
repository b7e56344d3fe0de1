#include "server/metrics/web_families.h"

namespace thalweg::metrics {

void AddConnections(const http::ConnectionCounters& counters, Families& families) {
  AddGauge("thalweg_http_connections_open", "Connections of HTTP that are open now",
           counters.open.load(), families);
  AddCounter("thalweg_http_connections_total", "Connections of HTTP that were accepted",
             counters.begun.load(), families);
  AddCounter("thalweg_http_connections_crowded_out_total",
             "Connections of HTTP that were closed because there were too many",
             counters.crowded_out.load(), families);
}

void AddRasters(const raster::RasterServiceStats& service, const sharing::LruStats& cache,
                Families& families) {
  Family::Counter("thalweg_raster_lookups_total",
                  "Lookups of rasters in the cache of rasters, by outcome")
      .Add(cache.hits, {{"outcome", "hit"}})
      .Add(cache.misses, {{"outcome", "miss"}})
      .PutIn(families);
  AddGauge("thalweg_raster_cache_bytes", "Bytes that the cache of rasters keeps", cache.cost,
           families);
  AddCounter("thalweg_raster_cache_evictions_total",
             "Rasters evicted from the cache to make room for others", cache.evictions, families);
  Family::Seconds("thalweg_raster_render_seconds", "Making of rasters from tiles")
      .AddSeconds(service.rendered, service.render_seconds)
      .PutIn(families);
}

}  // namespace thalweg::metrics
