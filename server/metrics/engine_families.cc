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
  Family::Gauge("thalweg_field_requests_waiting", "Requests for tiles that wait for the device")
      .Add(stats.requests_waiting)
      .PutIn(families);
  Family::Gauge("thalweg_field_blocks_queued", "Blocks that wait for the device")
      .Add(stats.blocks_queued)
      .PutIn(families);
  Family::Counter("thalweg_field_blocks_dropped_total",
                  "Blocks dropped from the queue because no caller waited for them any more")
      .Add(stats.blocks_dropped)
      .PutIn(families);
  Family::Counter("thalweg_field_requests_refused_total",
                  "Requests refused because the queue was full")
      .Add(stats.requests_refused)
      .PutIn(families);
}

void AddMemory(const field::FieldStats& stats, Families& families) {
  Family::Gauge("thalweg_device_bytes", "Bytes of finished blocks on the device")
      .Add(stats.bytes_on_device)
      .PutIn(families);
  Family::Gauge("thalweg_device_budget_bytes", "Max bytes of finished blocks")
      .Add(stats.budget_bytes)
      .PutIn(families);
  Family::Gauge("thalweg_device_blocks", "Finished blocks on the device")
      .Add(stats.blocks_on_device)
      .PutIn(families);
  Family::Counter("thalweg_device_evictions_total", "Finished blocks evicted for others")
      .Add(stats.blocks_evicted)
      .PutIn(families);
}

}  // namespace

void AddField(const field::FieldStats& stats, Families& families) {
  AddQueues(stats, families);
  AddLevels(stats, families);
  AddStages(stats, families);
  Family::Seconds("thalweg_device_read_seconds", "Reads of tiles from finished blocks")
      .AddSeconds(stats.reads.times, stats.reads.seconds)
      .PutIn(families);
  Family::Counter("thalweg_device_failed_runs_total", "Runs of the device that failed")
      .Add(stats.runs_failed)
      .PutIn(families);
  Family::Counter("thalweg_device_losses_total", "Losses of the device")
      .Add(stats.device_losses)
      .PutIn(families);
  AddMemory(stats, families);
}

void AddTiles(const tile::TileServiceStats& stats, Families& families) {
  Family::Gauge("thalweg_tiles_under_way", "Tiles that callers wait for")
      .Add(stats.flights)
      .PutIn(families);
  Family::Counter("thalweg_tiles_joined_total",
                  "Requests for a tile that was computed for another caller already")
      .Add(stats.joined)
      .PutIn(families);
  Family::Seconds("thalweg_tile_encode_seconds", "Encoding of computed tiles")
      .AddSeconds(stats.tiles_encoded, stats.encode_seconds)
      .PutIn(families);
  Family::Counter("thalweg_tile_encoded_bytes_total", "Bytes of encoded tiles")
      .Add(stats.encoded_bytes)
      .PutIn(families);
  Family::Gauge("thalweg_tiles_waiting_to_encode", "Tiles that wait to be encoded")
      .Add(stats.waiting_to_encode)
      .PutIn(families);
}

}  // namespace thalweg::metrics
