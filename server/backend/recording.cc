#include "server/backend/recording.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/tile_key.h"
#include "server/stages/recorder.h"
#include "server/stages/stage.h"

namespace thalweg::backend {
namespace {

using stages::Kernel;
using stages::Recorder;

std::uint32_t Low(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t High(std::int64_t value) { return static_cast<std::uint32_t>(value >> 32); }

int Planes(const world::LevelProgram& program) { return static_cast<int>(program.planes.bits()); }

// Real land takes the place of what was made: before the stages (0), or after them (1).
void RecordElevation(const world::LevelProgram& program, int when, Recorder& recorder) {
  if (program.elevation == nullptr) return;
  recorder.Begin("elevation");
  const kernels::ElevationParams params{Planes(program)};
  recorder.Dispatch(Kernel::kElevation, params, recorder.region(), when);
}

// A level's first ground.
void RecordGround(const world::LevelProgram& program, Recorder& recorder) {
  recorder.Begin("ground");
  if (program.level == 0) {
    const kernels::BaseParams params{program.base_size, Planes(program)};
    recorder.Dispatch(Kernel::kBase, params, recorder.region());
    RecordElevation(program, 0, recorder);
    return;
  }
  kernels::UpsampleParams params{};
  params.detail = program.detail;
  params.lattice = program.detail_lattice;
  params.parent_side = recorder.parent().side;
  params.parent_size = recorder.parent().size;
  params.planes = Planes(program);
  recorder.Dispatch(Kernel::kUpsample, params, recorder.region());
}

// What is kept leaves the window.
void RecordExport(const world::LevelProgram& program, const world::BlockShape& shape,
                  const LayerSet& kept, Recorder& recorder) {
  recorder.Begin("export");
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
  recorder.Dispatch(Kernel::kExport, params, {0, layout.side - 1});
}

stages::Windows WindowsOf(const world::LevelProgram& program, const world::BlockShape& shape,
                          const world::BlockShape& parent, int blocks, bool shrink) {
  stages::Windows windows;
  windows.side = shape.WindowSide();
  windows.blocks = blocks;
  windows.seed_low = program.seed_low;
  windows.seed_high = program.seed_high;
  windows.shrink = shrink;
  if (program.level > 0) {
    const int side = parent.ResultSide();
    windows.parent = {side, program.inherited.Count() * side * side};
  }
  return windows;
}

}  // namespace

ResultLayout ResultLayout::Of(const world::BlockShape& shape, const LayerSet& layers) {
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

std::vector<Segment> Record(const world::LevelProgram& program, const world::BlockShape& shape,
                            const world::BlockShape& parent, int blocks,
                            const RunOptions& options) {
  Recorder recorder(WindowsOf(program, shape, parent, blocks, options.shrink_window));
  if (!options.shrink_window) {
    // No stage writes the window's rim, which is read then: it is the first ground in both
    // planes.
    recorder.SwapHeights();
    RecordGround(program, recorder);
    recorder.SwapHeights();
  }
  RecordGround(program, recorder);
  for (const world::Stage& stage : program.stages) Record(stage, recorder);
  RecordElevation(program, 1, recorder);
  RecordExport(program, shape, KeptLayers(program, options), recorder);
  return recorder.Take();
}

std::vector<std::vector<Segment>> InParts(std::vector<Segment> segments, int parts) {
  if (parts <= 1) return {std::move(segments)};
  const auto work_of = [](const Dispatch& dispatch) {
    return static_cast<double>(dispatch.pass.width) * dispatch.rows;
  };
  double work = 0;
  for (const Segment& segment : segments) {
    for (const Dispatch& dispatch : segment.dispatches) work += work_of(dispatch);
  }
  std::vector<std::vector<Segment>> cut(1);
  double done = 0;
  for (const Segment& segment : segments) {
    bool continues = segment.continues;
    bool begun = false;
    for (const Dispatch& dispatch : segment.dispatches) {
      // A part ends with the dispatch that fills it.
      if (done >= work * static_cast<double>(cut.size()) / parts) {
        cut.emplace_back();
        begun = false;
      }
      if (!begun) cut.back().push_back({segment.stage, {}, std::exchange(continues, true)});
      begun = true;
      cut.back().back().dispatches.push_back(dispatch);
      done += work_of(dispatch);
    }
  }
  return cut;
}

std::size_t ElevationValues(const world::LevelProgram& program, const world::BlockShape& shape) {
  if (program.elevation == nullptr) return 0;
  const auto side = static_cast<std::size_t>(shape.WindowSide());
  return world::Elevation::kPlanes * side * side;
}

void FillElevation(const world::LevelProgram& program, const world::BlockShape& shape,
                   std::span<const Job> jobs, std::span<std::int32_t> values) {
  const std::size_t size = ElevationValues(program, shape);
  if (size == 0) return;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const int margin = shape.apron + shape.halo;
    program.elevation->Fill(program.level, jobs[i].x - margin, jobs[i].y - margin,
                            shape.WindowSide(), values.subspan(i * size, size));
  }
}

absl::StatusOr<std::vector<kernels::Job>> PlaceJobs(const world::LevelProgram& program,
                                                    const world::BlockShape& shape,
                                                    std::span<const Job> jobs) {
  std::vector<kernels::Job> placed;
  placed.reserve(jobs.size());
  for (const Job& job : jobs) {
    const std::int64_t x = job.x - shape.apron - shape.halo;
    const std::int64_t y = job.y - shape.apron - shape.halo;
    kernels::Job out{};
    out.x_low = Low(x);
    out.x_high = High(x);
    out.y_low = Low(y);
    out.y_high = High(y);
    out.face = job.face;
    if (program.level > 0) {
      if (job.parent == nullptr || job.parent->shape() != jobs.front().parent->shape()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "run level ", program.level, ": every block needs a parent, all of one shape"));
      }
      if (!job.parent->layers().Contains(program.inherited)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "run level ", program.level, ": the parent lacks a layer that the level starts from"));
      }
      const world::BlockShape& parent = job.parent->shape();
      const std::int64_t px = (x >> 1) - (job.parent_x - parent.apron);
      const std::int64_t py = (y >> 1) - (job.parent_y - parent.apron);
      // Interpolation reads one vertex before and two after the one at half the coordinate.
      const std::int64_t last = (shape.WindowSide() >> 1) + 2;
      if (px < 1 || py < 1 || px + last >= parent.ResultSide() ||
          py + last >= parent.ResultSide()) {
        return absl::InvalidArgumentError(
            absl::StrCat("run level ", program.level,
                         ": the parent's block does not cover the window at ", x, ", ", y));
      }
      out.parent_x = static_cast<int>(px);
      out.parent_y = static_cast<int>(py);
    }
    placed.push_back(out);
  }
  return placed;
}

}  // namespace thalweg::backend
