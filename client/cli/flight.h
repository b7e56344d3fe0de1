// A flight over a world, and what a game would have drawn on it.
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
  // Of them with a complete set without cracks, and of those with nothing coarser than wanted.
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

// Of several values, sorted: none gives 0.
struct Percentiles {
  double p50 = 0;
  double p95 = 0;
  double max = 0;

  static Percentiles Of(std::vector<double> values);
};

struct FlightReport {
  // From the first question to the first complete set, before the flight begins.
  double first_complete_s = 0;
  double flown_s = 0;
  double flown_m = 0;
  int frames = 0;
  int complete = 0;
  int finest = 0;
  // Frames whose set had an overlap, or tiles side by side that differ by more than a level.
  int cracked = 0;
  // Frames that came more than a frame too late: this machine's doing.
  int late = 0;
  // Tiles that the flight came to need, and those of them that were there already.
  std::uint64_t needed = 0;
  std::uint64_t in_time = 0;
  // From the stop to the finest set; below 0 if it did not come in time.
  double finest_after_s = -1;
  // Tiles that came from the stop to then, and those of them that the standing camera needs.
  std::size_t tiles_after_stop = 0;
  std::size_t needed_after_stop = 0;
  // From the moment in which a tile was missing to its arrival, in ms.
  Percentiles waited_ms;
  // What SetCamera and Update took of a frame, in microseconds.
  Percentiles frame_us;
  // How many tiles came of each level, and are drawn of it at the end.
  std::vector<std::size_t> tiles_by_level;
  std::vector<std::size_t> drawn_by_level;
  // 600 or fewer, of a second or longer each.
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

// Flies, in the time that it takes: straight on, at a height above the ground. DEADLINE_EXCEEDED if
// no complete set came within the arguments' patience.
absl::StatusOr<FlightReport> FlyView(TerrainView& view, const FlyArguments& arguments,
                                     const FlightProgress& progress);

// Whether tiles cover their ground without overlap, none beside one that is two levels coarser or
// finer.
bool IsWithoutCracks(const std::vector<DrawnTile>& tiles);

}  // namespace thalweg::cli
