// What a GPU runs for a block: level_dispatches WORLD BLOCK_CELLS
//
// Prints a line for each level and kernel of a preset: LEVEL KERNEL DISPATCHES WAVES, where waves
// are of 64 invocations. tests/bench/gpu_estimate.py reads it.
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>

#include "server/world/block.h"
#include "server/world/recording.h"
#include "server/world/world_library.h"

namespace thalweg {
namespace {

struct Load {
  int dispatches = 0;
  double waves = 0;
};

double WavesOf(const stages::Dispatch& dispatch) {
  constexpr double kWave = 64;
  if (dispatch.tile_width == 0) return dispatch.pass.width / kWave * dispatch.rows;
  const int tiles = (dispatch.pass.width + dispatch.tile_width - 1) / dispatch.tile_width;
  return tiles * dispatch.rows * kernels::kTileWidth * kernels::kTileStrips / kWave;
}

void Print(const world::World& world, int block_cells) {
  const auto shapes = world::BlockShapes(world.programs(), block_cells);
  world::RecordingOptions options;
  options.join_sweeps = true;
  for (std::size_t level = 0; level < shapes.size(); ++level) {
    std::map<std::string, Load> loads;
    const auto segments =
        world::Record(world.programs()[level], shapes[level],
                      level > 0 ? shapes[level - 1] : world::BlockShape{}, 1, options);
    for (const stages::Segment& segment : segments) {
      for (const stages::Dispatch& dispatch : segment.dispatches) {
        Load& load = loads[std::string(stages::KernelName(dispatch.kernel))];
        ++load.dispatches;
        load.waves += WavesOf(dispatch);
      }
    }
    for (const auto& [kernel, load] : loads) {
      std::cout << level << ' ' << kernel << ' ' << load.dispatches << ' ' << load.waves << '\n';
    }
  }
}

}  // namespace
}  // namespace thalweg

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: level_dispatches WORLD BLOCK_CELLS\n";
    return 2;
  }
  for (const auto& preset : thalweg::world::WorldLibrary::OfPresets()->worlds()) {
    if (preset->name() == argv[1]) {
      thalweg::Print(*preset, std::atoi(argv[2]));
      return 0;
    }
  }
  std::cerr << "level_dispatches: there is no preset '" << argv[1] << "'\n";
  return 1;
}
