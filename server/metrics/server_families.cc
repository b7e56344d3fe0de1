#include "server/metrics/server_families.h"

#include <prometheus/text_serializer.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "server/world/level_program.h"

namespace thalweg::metrics {
namespace {

using prometheus::Histogram;

// A cached tile takes tens of microseconds, a cold one seconds, a session hours.
const Histogram::BucketBoundaries kSeconds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                           0.025,  0.05,    0.1,    0.25,  0.5,    1,     2.5,
                                           5,      10,      30,     60,    300,    3600};

const Histogram::BucketBoundaries kBytes{256,     1'024,   4'096,   16'384,    32'768,   65'536,
                                         131'072, 262'144, 524'288, 1'048'576, 4'194'304};

prometheus::Labels OfCall(calls::Method method) {
  return {{"method", std::string(NameOf(method))}};
}

prometheus::Labels OfCall(calls::Method method, absl::StatusCode code) {
  prometheus::Labels labels = OfCall(method);
  labels.emplace("code", absl::StatusCodeToString(code));
  return labels;
}

struct Level {
  std::string name;
  bool healthy = true;
  cache::StoreStats stats;
};

Labels At(const Level& level) { return {{"level", level.name}}; }
Labels At(const Level& level, std::string outcome) {
  return {{"level", level.name}, {"outcome", std::move(outcome)}};
}

void AddLookups(const sharing::LruStats& memory, const std::vector<Level>& stores,
                Families& families) {
  Family lookups =
      Family::Counter("thalweg_cache_lookups_total", "Lookups of tiles, by cache and outcome");
  lookups.Add(memory.hits, {{"level", "memory"}, {"outcome", "hit"}});
  lookups.Add(memory.misses, {{"level", "memory"}, {"outcome", "miss"}});
  for (const Level& store : stores) {
    lookups.Add(store.stats.hits, At(store, "hit"))
        .Add(store.stats.misses, At(store, "miss"))
        .Add(store.stats.bad_records, At(store, "bad_record"))
        .Add(store.stats.errors, At(store, "error"))
        .Add(store.stats.skipped, At(store, "skipped"));
  }
  lookups.PutIn(families);
}

void AddSizes(const cache::TileCache& memory, const sharing::LruStats& stats,
              const std::vector<Level>& stores, Families& families) {
  const Labels at_memory{{"level", "memory"}};
  Family bytes =
      Family::Gauge("thalweg_cache_bytes", "Bytes that a cache keeps; for memcached ask memcached");
  bytes.Add(stats.cost, at_memory);
  for (const Level& store : stores) {
    if (store.name != "shared") bytes.Add(store.stats.bytes, At(store));
  }
  bytes.PutIn(families);
  AddGauge("thalweg_cache_budget_bytes", "Max bytes that a cache keeps", memory.budget_bytes(),
           families, at_memory);
  AddGauge("thalweg_cache_tiles", "Tiles that a cache keeps", stats.entries, families, at_memory);
  AddCounter("thalweg_cache_evictions_total", "Tiles evicted to make room for others",
             stats.evictions, families, at_memory);
}

void AddTransfers(const std::vector<Level>& stores, Families& families) {
  Family seconds =
      Family::Seconds("thalweg_cache_load_seconds", "Loads from a cache behind memory");
  Family loaded = Family::Counter("thalweg_cache_loaded_bytes_total", "Bytes of loaded tiles");
  Family saves = Family::Counter("thalweg_cache_saves_total", "Saves of tiles, by outcome");
  Family saved = Family::Counter("thalweg_cache_saved_bytes_total", "Bytes of saved tiles");
  for (const Level& store : stores) {
    const cache::StoreStats& stats = store.stats;
    seconds.AddSeconds(stats.loads_answered, stats.load_seconds, At(store));
    loaded.Add(stats.loaded_bytes, At(store));
    saves.Add(stats.saves, At(store, "saved"))
        .Add(stats.save_errors, At(store, "error"))
        .Add(stats.dropped_saves, At(store, "dropped"));
    saved.Add(stats.saved_bytes, At(store));
  }
  for (Family* const family : {&seconds, &loaded, &saves, &saved}) family->PutIn(families);
}

void AddStates(const std::vector<Level>& stores, Families& families) {
  Family loads = Family::Gauge("thalweg_cache_loads_waiting", "Loads that wait");
  Family saves = Family::Gauge("thalweg_cache_saves_waiting", "Tiles that wait to be saved");
  Family healthy = Family::Gauge("thalweg_cache_healthy", "1 while all parts work, else 0");
  for (const Level& store : stores) {
    loads.Add(store.stats.waiting_loads, At(store));
    saves.Add(store.stats.waiting_saves, At(store));
    healthy.Add(store.healthy ? 1 : 0, At(store));
  }
  for (Family* const family : {&loads, &saves, &healthy}) family->PutIn(families);
}

void AddLevels(const field::FieldStats& stats, Families& families) {
  Family runs = Family::Seconds("thalweg_device_run_seconds",
                                "Runs of the device, which compute blocks, by level");
  Family blocks = Family::Counter("thalweg_device_blocks_total", "Blocks computed, by level");
  for (std::size_t level = 0; level < stats.levels.size(); ++level) {
    const field::LevelStats& one = stats.levels[level];
    const Labels labels{{"level", std::to_string(level)}};
    runs.AddSeconds(one.runs.times, one.runs.seconds, labels);
    blocks.Add(one.blocks_computed, labels);
  }
  runs.PutIn(families);
  blocks.PutIn(families);
}

void AddStages(const field::FieldStats& stats, Families& families) {
  if (stats.stages.empty()) return;
  Family stages = Family::Seconds("thalweg_device_stage_seconds",
                                  "Stages of runs by kind, by the device's clock");
  for (const auto& [stage, time] : stats.stages) {
    stages.AddSeconds(time.times, time.seconds, {{"stage", stage}});
  }
  stages.PutIn(families);
}

void AddQueues(const field::FieldStats& stats, Families& families) {
  AddGauge("thalweg_field_requests_waiting", "Requests for tiles that wait for the device",
           stats.requests_waiting, families);
  AddGauge("thalweg_field_blocks_queued", "Blocks that wait for the device", stats.blocks_queued,
           families);
  AddCounter("thalweg_field_blocks_dropped_total",
             "Blocks dropped from the queue because no caller waited for them any more",
             stats.blocks_dropped, families);
  AddCounter("thalweg_field_requests_refused_total", "Requests refused because the queue was full",
             stats.requests_refused, families);
}

void AddMemory(const field::FieldStats& stats, Families& families) {
  AddGauge("thalweg_device_bytes", "Bytes of finished blocks on the device", stats.bytes_on_device,
           families);
  AddGauge("thalweg_device_budget_bytes", "Max bytes of finished blocks", stats.budget_bytes,
           families);
  AddGauge("thalweg_device_blocks", "Finished blocks on the device", stats.blocks_on_device,
           families);
  AddCounter("thalweg_device_evictions_total", "Finished blocks evicted to make room for others",
             stats.blocks_evicted, families);
}

constexpr std::uint64_t kKilobyte = 1024;

// The number after a name at the beginning of a line, as in "VmRSS:  1234 kB"; 0 if it is missing.
std::uint64_t NumberAfter(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(name)) continue;
    return std::strtoull(line.c_str() + name.size(), nullptr, 10);
  }
  return 0;
}

// The limit in a file of a control group; 0 if the file is missing or says "max".
std::uint64_t LimitIn(const std::string& path) { return NumberAfter(path, ""); }

std::uint64_t MemoryLimit(const std::string& root) {
  std::uint64_t min = 0;
  for (const std::uint64_t limit :
       {NumberAfter(root + "/proc/meminfo", "MemTotal:") * kKilobyte,
        LimitIn(root + "/sys/fs/cgroup/memory.max"),
        LimitIn(root + "/sys/fs/cgroup/memory/memory.limit_in_bytes")}) {
    if (limit > 0) min = min == 0 ? limit : std::min(min, limit);
  }
  return min;
}

std::uint64_t OpenFiles(const std::string& root) {
  std::error_code error;
  const std::filesystem::directory_iterator files(root + "/proc/self/fd", error);
  if (error) return 0;
  return static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
}

std::uint64_t MaxFiles() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}

}  // namespace

std::string TextOf(const Collectables& collectables) {
  Families all;
  for (const auto& collectable : collectables) {
    Families some = collectable->Collect();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return prometheus::TextSerializer().Serialize(all);
}

CallMetrics::CallMetrics()
    : registry_(std::make_shared<prometheus::Registry>()),
      calls_(prometheus::BuildCounter()
                 .Name("thalweg_rpc_calls_total")
                 .Help("Calls that have ended, by method and status code")
                 .Register(*registry_)) {
  auto& running = prometheus::BuildGauge()
                      .Name("thalweg_rpc_calls_running")
                      .Help("Calls that run now, by method")
                      .Register(*registry_);
  auto& seconds = prometheus::BuildHistogram()
                      .Name("thalweg_rpc_call_seconds")
                      .Help("From a call's arrival until its status was handed to gRPC")
                      .Register(*registry_);
  auto& bytes = prometheus::BuildHistogram()
                    .Name("thalweg_rpc_response_bytes")
                    .Help("Responses handed to gRPC; streams and sessions have many")
                    .Register(*registry_);
  for (int k = 0; k < calls::kMethodCount; ++k) {
    const auto method = static_cast<calls::Method>(k);
    Of(method) = {.running = &running.Add(OfCall(method)),
                  .succeeded = &calls_.Add(OfCall(method, absl::StatusCode::kOk)),
                  .seconds = &seconds.Add(OfCall(method), kSeconds),
                  .response_bytes = &bytes.Add(OfCall(method), kBytes)};
  }
}

void CallMetrics::Began(calls::Method method) { Of(method).running->Increment(); }

void CallMetrics::Sent(calls::Method method, std::size_t bytes) {
  Of(method).response_bytes->Observe(static_cast<double>(bytes));
}

void CallMetrics::Ended(const calls::CallReport& report) {
  const OfMethod& method = Of(report.method);
  method.running->Decrement();
  method.seconds->Observe(std::chrono::duration<double>(report.duration).count());
  if (report.status.ok()) {
    method.succeeded->Increment();
  } else {
    // There are few codes, so each gets its counter when it first occurs.
    calls_.Add(OfCall(report.method, report.status.code())).Increment();
  }
}

void AddCaches(const cache::TileCache& memory, const cache::StoreChain* stores,
               Families& families) {
  const sharing::LruStats stats = memory.stats();
  std::vector<Level> levels;
  if (stores != nullptr) {
    for (const auto& store : stores->stores()) {
      levels.push_back({store->level(), store->health().ok(), store->stats()});
    }
  }
  AddLookups(stats, levels, families);
  AddSizes(memory, stats, levels, families);
  if (levels.empty()) return;
  AddTransfers(levels, families);
  AddStates(levels, families);
}

void AddField(const field::FieldStats& stats, Families& families) {
  AddQueues(stats, families);
  AddLevels(stats, families);
  AddStages(stats, families);
  Family::Seconds("thalweg_device_read_seconds", "Reads of tiles from finished blocks")
      .AddSeconds(stats.reads.times, stats.reads.seconds)
      .PutIn(families);
  AddCounter("thalweg_device_failed_runs_total", "Runs of the device that failed",
             stats.runs_failed, families);
  AddCounter("thalweg_device_losses_total", "Losses of the device", stats.device_losses, families);
  AddMemory(stats, families);
}

void AddTiles(const tile::TileServiceStats& stats, Families& families) {
  AddGauge("thalweg_tiles_under_way", "Tiles that callers wait for", stats.flights, families);
  AddCounter("thalweg_tiles_joined_total",
             "Requests for a tile that was already being computed for another caller", stats.joined,
             families);
  Family::Seconds("thalweg_tile_encode_seconds", "Encoding of computed tiles")
      .AddSeconds(stats.tiles_encoded, stats.encode_seconds)
      .PutIn(families);
  AddCounter("thalweg_tile_encoded_bytes_total", "Bytes of encoded tiles", stats.encoded_bytes,
             families);
  AddGauge("thalweg_tiles_waiting_to_encode", "Tiles that wait to be encoded",
           stats.waiting_to_encode, families);
}

void AddSessions(const session::SessionCounters& counters, Families& families) {
  AddGauge("thalweg_sessions_open", "Sessions that are open now", counters.open.load(), families);
  AddCounter("thalweg_sessions_total", "Sessions that were opened", counters.begun.load(),
             families);
  Family::Counter("thalweg_session_tiles_total",
                  "Tiles of sessions: sent, unchanged since the client got them, or failed")
      .Add(counters.tiles_sent.load(), {{"outcome", "sent"}})
      .Add(counters.tiles_unchanged.load(), {{"outcome", "unchanged"}})
      .Add(counters.tiles_failed.load(), {{"outcome", "failed"}})
      .PutIn(families);
  AddCounter("thalweg_session_tile_bytes_total", "Bytes of the tiles that sessions sent",
             counters.tile_bytes_sent.load(), families);
  AddCounter("thalweg_session_credit_stalls_total",
             "Stalls of sessions whose client had no credit left", counters.credit_stalls.load(),
             families);
  AddGauge("thalweg_sessions_stalled", "Sessions that wait for credit of their client now",
           counters.stalled.load(), families);
}

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

ProcessUse ReadProcessUse(const std::string& root) {
  return {.resident_bytes = NumberAfter(root + "/proc/self/status", "VmRSS:") * kKilobyte,
          .memory_limit_bytes = MemoryLimit(root),
          .open_files = OpenFiles(root),
          .max_files = MaxFiles()};
}

void AddProcess(const ProcessUse& use, Families& families) {
  AddGauge("process_resident_memory_bytes", "Memory of the process, in bytes", use.resident_bytes,
           families);
  AddGauge("thalweg_memory_limit_bytes",
           "Max memory of the process, in bytes: the machine's, or that of its control group",
           use.memory_limit_bytes, families);
  AddGauge("process_open_fds", "Open files and connections", use.open_files, families);
  AddGauge("process_max_fds", "Max open files and connections; 0: no limit", use.max_files,
           families);
}

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
