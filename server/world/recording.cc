#include "server/world/recording.h"

#include <algorithm>
#include <bit>
#include <span>

#include "proto/wire/tile_key.h"
#include "server/stages/noise_lattice.h"
#include "server/stages/recorder.h"
#include "server/stages/stage.h"

namespace thalweg::world {
namespace {

using stages::Kernel;
using stages::Recorder;

int Planes(const LevelProgram& program) { return static_cast<int>(program.planes.bits()); }

// What the noise program costs a vertex, in picoseconds of a core with lavapipe.
double BaseCost(const LevelProgram& program) {
  struct Costs {
    double octave;
    double plates;
    double craters;
  };
  constexpr Costs kOnPlane{42e3, 0, 0};
  constexpr Costs kOnSphere{53e3, 70e3, 75e3};
  constexpr double kOther = 12.5e3;
  const Costs& costs = program.OnSphere() ? kOnSphere : kOnPlane;
  double cost = stages::InvocationCost(Kernel::kBase, program.OnSphere());
  for (const kernels::BaseInstruction& step : program.base()) {
    const int operation = kernels::operationOf(step);
    if (kernels::isOctave(operation)) {
      cost += costs.octave;
    } else if (operation == kernels::kOpPlates) {
      cost += costs.plates;
    } else {
      cost += operation == kernels::kOpCraters ? costs.craters : kOther;
    }
  }
  return cost;
}

// Replaces the level's heights and rivers by real land: before the stages (when = 0) or after (1).
void RecordElevation(const LevelProgram& program, int when, Recorder& recorder) {
  if (program.elevation == nullptr) return;
  recorder.Begin("elevation");
  const kernels::ElevationParams params{Planes(program)};
  recorder.Dispatch(Kernel::kElevation, params, recorder.region(), when);
}

// Records the level's first ground: noise, or the parent's ground with detail; or what its first
// stage makes.
void RecordGround(const LevelProgram& program, Recorder& recorder) {
  recorder.Begin("ground");
  if (program.base_size > 0) {
    const kernels::BaseParams params{program.base_size, Planes(program)};
    recorder.Dispatch(Kernel::kBase, params, recorder.region());
    recorder.SetCost(BaseCost(program));
    recorder.Exchange(kernels::kSeamHeight);
    RecordElevation(program, 0, recorder);
    return;
  }
  if (program.StartsWithStage()) {
    stages::Record(program.stages.front(), recorder);
    return;
  }
  kernels::UpsampleParams params{};
  params.detail = program.detail;
  params.lattice = program.detail_lattice;
  params.parent_side = recorder.parent().side;
  params.parent_size = recorder.parent().size;
  params.planes = Planes(program);
  stages::RecordTable(params.lattice, 1, recorder);
  recorder.Dispatch(Kernel::kUpsample, params, recorder.region());
  recorder.Exchange(kernels::kSeamHeight);
}

// Whether the plane of ways has lists of rivers' sources instead of a way for each vertex.
bool ListsSources(const LevelProgram& program) {
  if (!program.StartsWithStage()) return false;
  const auto* const ground = std::get_if<stages::GroundStage>(&program.stages.front());
  return ground != nullptr && ground->has_rivers;
}

// Copies the kept layers out of the window.
void RecordExport(const LevelProgram& program, const BlockShape& shape, const LayerSet& kept,
                  Recorder& recorder) {
  recorder.Begin("export");
  const int ways = ListsSources(program) ? 0 : kernels::kSeamRiver;
  recorder.ExchangeAll(kernels::kSeamHeight | kernels::kSeamFlow | ways | kernels::kSeamResult);
  const ResultLayout layout = ResultLayout::Of(shape, kept);
  kernels::ExportParams params{};
  params.margin = shape.halo;
  params.side = layout.side;
  params.apron = shape.apron;
  params.core = shape.block_cells;
  params.tile_bits = layout.tile_bits;
  params.result_size = layout.size;
  params.layers = static_cast<int>(kept.bits());
  params.planes = Planes(program);
  params.sea_level = program.sea_level;
  params.deviation_at = layout.deviation_at;
  params.parent_side = recorder.parent().side;
  params.parent_size = recorder.parent().size;
  params.first_piece = program.base_size;
  params.pieces = static_cast<int>(program.height_curve().size());
  params.keeps_shown = program.keeps_shown_heights ? 1 : 0;
  recorder.Dispatch(Kernel::kExport, params, {0, layout.side - 1});
}

stages::Windows WindowsOf(const LevelProgram& program, const BlockShape& shape,
                          const BlockShape& parent, int count, const RecordingOptions& options) {
  stages::Windows windows;
  windows.side = shape.WindowSide();
  windows.count = count;
  windows.on_sphere = program.OnSphere();
  windows.cross_edges = options.exchange_seams;
  windows.join_sweeps = options.join_sweeps;
  windows.planes = Planes(program);
  windows.seed_low = program.seed_low;
  windows.seed_high = program.seed_high;
  windows.whole = program.surface->IsOneBlock(program.level);
  windows.shrink = options.shrink_window && !windows.whole;
  if (program.level > 0) {
    const int side = parent.ResultSide();
    windows.parent = {side, program.inherited.Count() * side * side};
  }
  return windows;
}

}  // namespace

ResultLayout ResultLayout::Of(const BlockShape& shape, const LayerSet& layers) {
  ResultLayout layout;
  layout.side = shape.ResultSide();
  layout.planes = layers.Count();
  layout.deviation_at = layout.planes * layout.side * layout.side;
  layout.tile_bits =
      std::min(wire::kTileBits, std::countr_zero(static_cast<unsigned>(shape.block_cells)));
  layout.tiles = shape.block_cells >> layout.tile_bits;
  layout.size = layout.deviation_at + layout.tiles * layout.tiles;
  return layout;
}

std::vector<stages::Segment> Record(const LevelProgram& program, const BlockShape& shape,
                                    const BlockShape& parent, int windows,
                                    const RecordingOptions& options) {
  Recorder recorder(WindowsOf(program, shape, parent, windows, options));
  if (!options.shrink_window) {
    // Stages read the window's rim but do not write it, so both planes get the first ground.
    recorder.SwapHeights();
    RecordGround(program, recorder);
    recorder.SwapHeights();
  }
  RecordGround(program, recorder);
  const std::size_t made = program.StartsWithStage() ? 1 : 0;
  recorder.SetExchanges(options.exchange_in_stages);
  for (const Stage& stage : std::span(program.stages).subspan(made)) Record(stage, recorder);
  recorder.SetExchanges(true);
  RecordElevation(program, 1, recorder);
  RecordExport(program, shape, options.kept, recorder);
  return recorder.Take();
}

}  // namespace thalweg::world
