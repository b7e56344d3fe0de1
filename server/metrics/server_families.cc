#include "server/metrics/server_families.h"

#include <chrono>

#include "server/metrics/cache_families.h"
#include "server/metrics/engine_families.h"
#include "server/metrics/process_families.h"
#include "server/metrics/session_families.h"
#include "server/metrics/web_families.h"
#include "server/world/level_program.h"

namespace thalweg::metrics {

Families ServerFamilies::Collect() const {
  Families families;
  if (sources_.rpc != nullptr) {
    AddGauge("thalweg_ready", "1 while the server accepts new calls, 0 once it drains",
             sources_.rpc->is_ready() ? 1 : 0, families);
  }
  Family::Gauge("thalweg_build_info",
                "Always 1; labels: the versions of the program and of its generator")
      .Add(1,
           {{"version", sources_.version}, {"generator", std::to_string(world::kGeneratorVersion)}})
      .PutIn(families);
  if (sources_.tiles != nullptr) {
    const field::Field& field = sources_.tiles->field();
    AddGauge("thalweg_device_info", "Always 1; labels: the device and its driver", 1, families,
             {{"device", field.device_name()}, {"driver", field.driver()}});
    AddTiles(sources_.tiles->stats(), families);
    AddField(sources_.tiles->field_stats(), families);
  }
  if (sources_.memory != nullptr) AddCaches(*sources_.memory, sources_.stores, families);
  if (sources_.sessions != nullptr) AddSessions(*sources_.sessions, families);
  if (sources_.connections != nullptr) AddConnections(*sources_.connections, families);
  if (sources_.rasters != nullptr) {
    AddRasters(sources_.rasters->stats(), sources_.rasters->cache_stats(), families);
  }
  if (sources_.tls != nullptr) {
    const auto end = sources_.tls->Get()->certificate_end.time_since_epoch();
    AddGauge("thalweg_certificate_end_seconds",
             "End of the certificate in use, in seconds of Unix time",
             std::chrono::duration_cast<std::chrono::seconds>(end).count(), families);
  }
  AddProcess(ReadProcessUse(), families);
  return families;
}

}  // namespace thalweg::metrics
