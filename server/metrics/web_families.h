// Metrics of HTTP: its connections and rasters.
#pragma once

#include "server/http/connection_counters.h"
#include "server/metrics/families.h"
#include "server/raster/raster_service.h"

namespace thalweg::metrics {

void AddConnections(const http::ConnectionCounters& counters, Families& families);
void AddRasters(const raster::RasterServiceStats& service, const sharing::LruStats& cache,
                Families& families);

}  // namespace thalweg::metrics
