#include "server/metrics/engine_families.h"

#include <string>

namespace thalweg::metrics {
namespace {

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
  AddCounter("thalweg_device_evictions_total", "Finished blocks evicted for others",
             stats.blocks_evicted, families);
}

}  // namespace

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
             "Requests for a tile that was computed for another caller already", stats.joined,
             families);
  Family::Seconds("thalweg_tile_encode_seconds", "Encoding of computed tiles")
      .AddSeconds(stats.tiles_encoded, stats.encode_seconds)
      .PutIn(families);
  AddCounter("thalweg_tile_encoded_bytes_total", "Bytes of encoded tiles", stats.encoded_bytes,
             families);
  AddGauge("thalweg_tiles_waiting_to_encode", "Tiles that wait to be encoded",
           stats.waiting_to_encode, families);
}

}  // namespace thalweg::metrics
