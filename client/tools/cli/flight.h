// A flight over a world, with statistics of the frames that a game would draw.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/tools/cli/arguments.h"
#include "client/tools/cli/cameras.h"
#include "proto/geometry/surface.h"
#include "thalweg/client.h"
#include "thalweg/drawn_tile.h"
#include "thalweg/terrain_view.h"

namespace thalweg::cli {

// Whether tiles cover their ground without overlap, and no tile is beside one that is two levels
// coarser or finer. The surface is that of the tiles' world.
bool IsWithoutCracks(const std::vector<DrawnTile>& tiles, const lod::Surface& surface);

// The sums of consecutive frames.
struct FlightInterval {
  double begin_s = 0;
  int frames = 0;
  // Frames with a complete set without cracks; and those of them with the finest set.
  int complete = 0;
  int finest = 0;
  // For the last frame: tiles drawn, tiles missing, and the finest level drawn.
  std::size_t drawn = 0;
  std::size_t missing = 0;
  int finest_level = 0;
  // Tiles and bytes from the server.
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
  // The time from the first request to the first complete set, before the flight begins.
  double first_complete_s = 0;
  double flown_s = 0;
  double flown_m = 0;
  int frames = 0;
  int complete = 0;
  int finest = 0;
  // Frames whose set had an overlap, or neighbouring tiles that differ by more than one level.
  int cracked = 0;
  // Frames that were more than one frame late, because this machine was too slow.
  int late = 0;
  // Tiles that the flight needed, and how many of these were already in memory.
  std::uint64_t needed = 0;
  std::uint64_t in_time = 0;
  // The time from the stop to the finest set; below 0 if it did not arrive in time.
  double finest_after_s = -1;
  // Tiles that arrived in that time, and how many of these the standing camera needs.
  std::size_t tiles_after_stop = 0;
  std::size_t needed_after_stop = 0;
  // The time from when a tile was first missing to its arrival, in ms.
  Percentiles waited_ms;
  // The time of SetCamera and Update in a frame, in microseconds.
  Percentiles frame_us;
  // How many tiles of each level arrived, and how many are drawn at the end.
  std::vector<std::size_t> tiles_by_level;
  std::vector<std::size_t> drawn_by_level;
  // At most 600, each one second or longer.
  std::vector<FlightInterval> intervals;
  TerrainStatistics statistics;
  // The bytes of the tiles, divided by 16 bits for each vertex and layer.
  double wire_share_of_raw = 0;
  // Where the flight began and ended, on a plane.
  Vector3 begin_m{};
  Vector3 end_m{};
};

// Called after every interval.
using FlightProgress = std::function<void(const FlightInterval&)>;

// Flies in real time. DEADLINE_EXCEEDED if no complete set arrives within the arguments' patience.
absl::StatusOr<FlightReport> FlyView(TerrainView& view, FlightCamera& camera,
                                     const FlyArguments& arguments, const FlightProgress& progress);

}  // namespace thalweg::cli
