#include "server/metrics/cache_families.h"

#include <string>
#include <utility>
#include <vector>

namespace thalweg::metrics {
namespace {

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
  AddCounter("thalweg_cache_evictions_total", "Tiles evicted for others", stats.evictions, families,
             at_memory);
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

}  // namespace

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

}  // namespace thalweg::metrics
