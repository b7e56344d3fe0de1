// Metrics are read from the counts of other parts, and their names follow Prometheus's rules.
#include "server/metrics/families.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "server/metrics/server_families.h"
#include "tests/cache/fake_store.h"

namespace thalweg::metrics {
namespace {

using prometheus::MetricType;
using ::testing::HasSubstr;

std::string TextOf(const Families& families) {
  return prometheus::TextSerializer().Serialize(families);
}

std::unique_ptr<cache::StoreChain> DiskAndShared() {
  std::vector<std::unique_ptr<cache::BackgroundStore>> stores;
  for (const char* const level : {"disk", "shared"}) {
    cache::BackgroundStoreOptions options;
    options.level = level;
    stores.push_back(
        cache::MakeFakeBackground(std::make_shared<cache::FakeStoreControl>(), options));
  }
  return std::make_unique<cache::StoreChain>(std::move(stores));
}

// All families of a server, except thalweg_ready, thalweg_device_info and
// thalweg_certificate_end_seconds.
Families All() {
  Families families = CallMetrics().registry()->Collect();
  field::FieldStats field;
  field.levels.resize(2);
  field.stages["droplet"] = {};
  AddField(field, families);
  AddTiles({}, families);
  const auto stores = DiskAndShared();
  AddCaches(cache::TileCache(0), stores.get(), families);
  AddSessions(session::SessionCounters(), families);
  AddConnections(http::ConnectionCounters(), families);
  AddRasters({}, {}, families);
  const Families rest = ServerFamilies({.version = "1"}).Collect();
  families.insert(families.end(), rest.begin(), rest.end());
  return families;
}

TEST(FamiliesTest, FollowPrometheusConventions) {
  std::set<std::string> names;
  for (const prometheus::MetricFamily& family : All()) {
    EXPECT_THAT(family.name, testing::MatchesRegex("(thalweg|process)_[a-z_]+"));
    EXPECT_TRUE(names.insert(family.name).second) << family.name << " is there twice";
    EXPECT_FALSE(family.help.empty()) << family.name;
    EXPECT_EQ(family.name.ends_with("_total"), family.type == MetricType::Counter) << family.name;
    EXPECT_TRUE(family.type != MetricType::Summary || family.name.ends_with("_seconds"))
        << family.name;
    std::set<std::string> series;
    for (const prometheus::ClientMetric& metric : family.metric) {
      std::string labels;
      for (const auto& label : metric.label) labels += label.name + "=" + label.value + ",";
      EXPECT_TRUE(series.insert(labels).second) << family.name << " has {" << labels << "} twice";
    }
  }
}

TEST(FamiliesTest, AreDescribedInTheReadme) {
  std::ifstream file(THALWEG_METRICS_README);
  std::stringstream readme;
  readme << file.rdbuf();
  for (const prometheus::MetricFamily& family : All()) {
    EXPECT_THAT(readme.str(), HasSubstr("`" + family.name + "`"));
  }
}

TEST(FamiliesTest, ExportTheFieldsCounts) {
  field::FieldStats stats;
  stats.levels.resize(2);
  stats.levels[1] = {.runs = {.times = 3, .seconds = 0.5}, .blocks_computed = 7};
  stats.stages["thermal"] = {.times = 6, .seconds = 0.25};
  stats.blocks_queued = 11;
  stats.blocks_evicted = 13;
  stats.device_losses = 1;
  stats.bytes_on_device = std::size_t{5} << 30;
  Families families;
  AddField(stats, families);
  const std::string text = TextOf(families);
  for (const char* const line :
       {"thalweg_device_run_seconds_count{level=\"1\"} 3\n",
        "thalweg_device_run_seconds_sum{level=\"1\"} 0.5\n",
        "thalweg_device_stage_seconds_count{stage=\"thermal\"} 6\n",
        "thalweg_device_stage_seconds_sum{stage=\"thermal\"} 0.25\n",
        "thalweg_device_blocks_total{level=\"1\"} 7\n", "thalweg_field_blocks_queued 11\n",
        "thalweg_device_evictions_total 13\n", "thalweg_device_losses_total 1\n",
        "thalweg_device_bytes 5368709120\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(FamiliesTest, ExportTheSessionsCounts) {
  session::SessionCounters counters;
  counters.open = 2;
  counters.credit_stalls = 5;
  counters.tiles_unchanged = 3;
  Families families;
  AddSessions(counters, families);
  const std::string text = TextOf(families);
  EXPECT_THAT(text, HasSubstr("thalweg_sessions_open 2\n"));
  EXPECT_THAT(text, HasSubstr("thalweg_session_credit_stalls_total 5\n"));
  EXPECT_THAT(text, HasSubstr("thalweg_session_tiles_total{outcome=\"unchanged\"} 3\n"));
}

TEST(FamiliesTest, ExportTheCountsOfHttp) {
  http::ConnectionCounters counters;
  counters.begun = 9;
  counters.open = 4;
  counters.crowded_out = 2;
  Families families;
  AddConnections(counters, families);
  AddRasters({.rendered = 3, .render_seconds = 0.5},
             {.hits = 7, .misses = 5, .evictions = 1, .entries = 2, .cost = 1000}, families);
  const std::string text = TextOf(families);
  for (const char* const line :
       {"thalweg_http_connections_total 9\n", "thalweg_http_connections_open 4\n",
        "thalweg_http_connections_crowded_out_total 2\n",
        "thalweg_raster_lookups_total{outcome=\"hit\"} 7\n",
        "thalweg_raster_lookups_total{outcome=\"miss\"} 5\n",
        "thalweg_raster_cache_evictions_total 1\n", "thalweg_raster_cache_bytes 1000\n",
        "thalweg_raster_render_seconds_count 3\n", "thalweg_raster_render_seconds_sum 0.5\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(FamiliesTest, ExportTheResourcesOfTheProcess) {
  const ProcessUse use = ReadProcessUse();
  EXPECT_GT(use.resident_bytes, 1'000'000U);
  EXPECT_GT(use.memory_limit_bytes, use.resident_bytes);
  EXPECT_GT(use.open_files, 2U);
  Families families;
  AddProcess(use, families);
  EXPECT_THAT(TextOf(families), HasSubstr("process_resident_memory_bytes "));
}

// The limit that is read if the machine has 1,000 kB and the control group has this limit.
std::uint64_t LimitOf(const std::string& group_file, const std::string& limit) {
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "process_use";
  const std::filesystem::path file = root / "sys/fs/cgroup" / group_file;
  std::filesystem::create_directories(root / "proc");
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(root / "proc/meminfo") << "MemTotal:       1000 kB\nMemFree: 500 kB\n";
  std::ofstream(file) << limit << "\n";
  const std::uint64_t bytes = ReadProcessUse(root.string()).memory_limit_bytes;
  std::filesystem::remove_all(root);
  return bytes;
}

TEST(FamiliesTest, TheMemoryLimitIsTheSmallestOne) {
  EXPECT_EQ(LimitOf("memory.max", "max"), 1'024'000U);
  EXPECT_EQ(LimitOf("memory.max", "524288"), 524'288U);
  EXPECT_EQ(LimitOf("memory/memory.limit_in_bytes", "262144"), 262'144U);
  EXPECT_EQ(LimitOf("memory/memory.limit_in_bytes", "9223372036854771712"), 1'024'000U);
}

TEST(FamiliesTest, WithoutStoresOnlyTheMemoryCacheIsExported) {
  Families families;
  AddCaches(cache::TileCache(1 << 20), nullptr, families);
  const std::string text = TextOf(families);
  EXPECT_THAT(text, HasSubstr("thalweg_cache_budget_bytes{level=\"memory\"} 1048576\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("thalweg_cache_saves_total")));
}

}  // namespace
}  // namespace thalweg::metrics
