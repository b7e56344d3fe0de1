// A flight over a world, with statistics of the frames that a game would draw.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/arguments.h"
#include "thalweg/client.h"
#include "thalweg/terrain_view.h"

namespace thalweg::cli {

// Frames one after the other, summed up.
struct FlightInterval {
  double begin_s = 0;
  int frames = 0;
  // Frames with a complete set without cracks; of these, the ones with the finest set.
  int complete = 0;
  int finest = 0;
  // Of the last frame: tiles drawn, missing, and the finest level drawn.
  std::size_t drawn = 0;
  std::size_t missing = 0;
  int finest_level = 0;
  // Came from the server.
  std::size_t tiles = 0;
  std::size_t wire_bytes = 0;
};

// Percentiles of several values; 0 if there are none.
struct Percentiles {
  double p50 = 0;
  double p95 = 0;
  double max = 0;

  static Percentiles Of(std::vector<double> values);
};

struct FlightReport {
  // From the first request to the first complete set, before the flight begins.
  double first_complete_s = 0;
  double flown_s = 0;
  double flown_m = 0;
  int frames = 0;
  int complete = 0;
  int finest = 0;
  // Frames whose set had an overlap, or tiles side by side that differ by more than a level.
  int cracked = 0;
  // Frames that were more than a frame late, which is this machine's fault.
  int late = 0;
  // Tiles that the flight needed, and those of them that were in memory already.
  std::uint64_t needed = 0;
  std::uint64_t in_time = 0;
  // From the stop to the finest set; below 0 if it did not come in time.
  double finest_after_s = -1;
  // Tiles that came in that time, and those of them that the standing camera needs.
  std::size_t tiles_after_stop = 0;
  std::size_t needed_after_stop = 0;
  // From the moment when a tile was first missing to its arrival, in ms.
  Percentiles waited_ms;
  // The time of SetCamera and Update in a frame, in microseconds.
  Percentiles frame_us;
  // How many tiles of each level came, and are drawn at the end.
  std::vector<std::size_t> tiles_by_level;
  std::vector<std::size_t> drawn_by_level;
  // At most 600, each of a second or longer.
  std::vector<FlightInterval> intervals;
  TerrainStatistics statistics;
  // The tiles' bytes against 16 bits a vertex and layer.
  double wire_share_of_raw = 0;
  // Where it began and ended.
  Vector3 begin_m{};
  Vector3 end_m{};
};

// Called after every interval.
using FlightProgress = std::function<void(const FlightInterval&)>;

// Flies in real time, straight on, at a height above the ground. DEADLINE_EXCEEDED if no complete
// set came within the arguments' patience.
absl::StatusOr<FlightReport> FlyView(TerrainView& view, const FlyArguments& arguments,
                                     const FlightProgress& progress);

// Whether tiles cover their ground without overlap, none beside one that is two levels coarser or
// finer.
bool IsWithoutCracks(const std::vector<DrawnTile>& tiles);

}  // namespace thalweg::cli
