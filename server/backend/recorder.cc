#include "server/backend/recorder.h"

namespace thalweg::backend {

Recorder::Recorder(const world::LevelProgram& program, const world::BlockShape& shape,
                   const world::BlockShape& parent, int blocks, const RunOptions& options)
    : program_(program), shape_(shape), parent_(parent), options_(options) {
  const int side = shape.WindowSide();
  region_ = {0, side - 1};
  pass_.stride = side;
  pass_.plane = side * side * blocks;
  pass_.seed_low = program.seed_low;
  pass_.seed_high = program.seed_high;
}

std::vector<Segment> Recorder::Record() {
  if (!options_.shrink_window) {
    // No stage writes the window's rim, which is read then: it is the first ground in both
    // planes.
    SwapHeights();
    Ground();
    SwapHeights();
  }
  Ground();
  for (const world::Stage& stage : program_.stages) {
    std::visit([this](const auto& s) { Add(s); }, stage);
  }
  Export();
  return std::move(segments_);
}

void Recorder::Dispatch(Kernel kernel, const KernelParams& params, int x0, int y0, int x1, int y1,
                        int argument, int before) {
  if (x1 < x0 || y1 < y0) return;
  Pass pass = pass_;
  pass.x = x0;
  pass.y = y0;
  pass.width = x1 - x0 + 1;
  pass.argument = argument;
  pass.before = before;
  segments_.back().dispatches.push_back({kernel, pass, y1 - y0 + 1, params});
}

void Recorder::Dispatch(Kernel kernel, const KernelParams& params, Region region, int argument,
                        int before) {
  Dispatch(kernel, params, region.first, region.first, region.last, region.last, argument, before);
}

void Recorder::Ground() {
  Begin("ground");
  if (program_.level == 0) {
    Dispatch(Kernel::kBase, kernels::BaseParams{static_cast<int>(program_.base.size()), Planes()},
             region_);
    return;
  }
  kernels::UpsampleParams params{};
  params.detail = program_.detail;
  params.lattice = program_.detail_lattice;
  params.parent_side = parent_.ResultSide();
  params.parent_size = ParentSize();
  params.planes = Planes();
  Dispatch(Kernel::kUpsample, params, region_);
}

void Recorder::Export() {
  Begin("export");
  const LayerSet kept = KeptLayers(program_, options_);
  const ResultLayout layout = ResultLayout::Of(shape_, kept);
  kernels::ExportParams params{};
  params.margin = shape_.halo;
  params.side = layout.side;
  params.apron = shape_.apron;
  params.core = shape_.block_cells;
  params.tile_bits = layout.tile_bits;
  params.result_size = layout.size;
  params.layers = static_cast<int>(kept.bits());
  params.planes = Planes();
  params.sea_level = program_.sea_level;
  params.deviation_at = layout.deviation_at;
  if (program_.level > 0) {
    params.parent_side = parent_.ResultSide();
    params.parent_size = ParentSize();
  }
  Dispatch(Kernel::kExport, params, {0, layout.side - 1});
}

}  // namespace thalweg::backend
