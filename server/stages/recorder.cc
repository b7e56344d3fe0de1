#include "server/stages/recorder.h"

#include <utility>

namespace thalweg::stages {

Recorder::Recorder(const Windows& windows) : windows_(windows), region_{0, windows.side - 1} {
  pass_.stride = windows.side;
  pass_.plane = windows.side * windows.side * windows.count;
  pass_.seed_low = windows.seed_low;
  pass_.seed_high = windows.seed_high;
}

void Recorder::Dispatch(Kernel kernel, const KernelParams& params, WindowRegion columns,
                        WindowRegion rows, int argument, int before) {
  if (columns.last < columns.first || rows.last < rows.first) return;
  kernels::Pass pass = pass_;
  pass.x = columns.first;
  pass.y = rows.first;
  pass.width = columns.last - columns.first + 1;
  pass.argument = argument;
  pass.before = before;
  segments_.back().dispatches.push_back({kernel, pass, rows.last - rows.first + 1, params,
                                         InvocationCost(kernel, windows_.on_sphere), 0, 1});
}

void Recorder::DispatchTiles(Kernel kernel, const KernelParams& params, WindowRegion region,
                             int ring, int argument) {
  const int tile_height = kernels::kTileHeight - 2 * ring;
  const int height = region.last - region.first + 1;
  if (height <= 0) return;
  const int rows = (height + tile_height - 1) / tile_height;
  Dispatch(kernel, params, region, {region.first, region.first + rows - 1}, (ring << 8) | argument,
           region.last);
  stages::Dispatch& dispatch = segments_.back().dispatches.back();
  dispatch.tile_width = kernels::kTileWidth - 2 * ring;
  dispatch.row_height = tile_height;
  dispatch.invocation_cost *= tile_height * ring;
}

void Recorder::Exchange(int values, int reach) {
  if (!windows_.cross_edges || !exchanges_) return;
  const int strip = reach + 1;
  Dispatch(Kernel::kSeams, kernels::SeamsParams{windows_.planes}, region_,
           {0, kernels::kSeamSides * strip - 1}, values, strip);
}

void Recorder::ExchangeAll(int values) {
  if (!windows_.cross_edges || !exchanges_) return;
  Dispatch(Kernel::kSeams, kernels::SeamsParams{windows_.planes}, region_, values);
}

std::vector<Segment> Recorder::Take() { return std::move(segments_); }

}  // namespace thalweg::stages
