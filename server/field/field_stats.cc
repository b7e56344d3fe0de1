#include "server/field/field_stats.h"

#include <algorithm>
#include <cstddef>

namespace thalweg::field {

void AddStats(const FieldStats& one, FieldStats& sum) {
  sum.blocks_computed += one.blocks_computed;
  sum.blocks_dropped += one.blocks_dropped;
  sum.batches += one.batches;
  sum.requests_refused += one.requests_refused;
  sum.runs_failed += one.runs_failed;
  sum.device_losses += one.device_losses;
  sum.blocks_evicted += one.blocks_evicted;
  sum.reads += one.reads;
  sum.levels.resize(std::max(sum.levels.size(), one.levels.size()));
  for (std::size_t level = 0; level < one.levels.size(); ++level) {
    sum.levels[level].runs += one.levels[level].runs;
    sum.levels[level].blocks_computed += one.levels[level].blocks_computed;
  }
  for (const auto& [stage, time] : one.stages) sum.stages[stage] += time;
  sum.requests_waiting += one.requests_waiting;
  sum.blocks_queued += one.blocks_queued;
  sum.blocks_on_device += one.blocks_on_device;
  sum.bytes_on_device += one.bytes_on_device;
  sum.budget_bytes += one.budget_bytes;
}

}  // namespace thalweg::field
