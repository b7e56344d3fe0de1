// What a machine gives: the measurements of `thalwegd bench`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/world/world.h"

namespace thalweg::commands {

// Tiles of one level. "Cold": nothing of the world was computed before.
struct LevelBench {
  int level = 0;
  // The median time of one cold tile, with its ancestors.
  double first_tile_s = 0;
  // The median rate of 16 neighbours that are asked for together, cold.
  double tiles_per_s = 0;
  // The rate of the same tiles when the server has them in memory: without a network, which
  // is what a caller's processor and the connection take.
  double hot_tiles_per_s = 0;
  // The mean bytes of a tile's heights on the wire.
  double tile_bytes = 0;
  // How many dispatches a block of the level takes.
  int dispatches = 0;
};

struct StageBench {
  std::string stage;
  // The device's time for each block that has the stage.
  double block_s = 0;
};

struct BenchReport {
  std::string device;
  std::string driver;
  std::string world;
  std::vector<LevelBench> levels;
  // Empty if the device has no clock.
  std::vector<StageBench> stages;
};

// Measures for about `seconds`, three levels or more of the world in turn; each round has another
// seed, so its tiles are cold. Errors are the backend's.
absl::StatusOr<BenchReport> RunBench(std::unique_ptr<backend::Backend> backend,
                                     const world::World& world, double seconds);

// For people, and for programs.
std::string TextOf(const BenchReport& report);
std::string JsonOf(const BenchReport& report);

}  // namespace thalweg::commands
