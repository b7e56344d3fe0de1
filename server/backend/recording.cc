#include "server/backend/recording.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/tile_key.h"
#include "server/backend/recorder.h"

namespace thalweg::backend {
namespace {

std::uint32_t Low(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t High(std::int64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

std::string_view KernelName(Kernel kernel) {
  constexpr std::string_view kNames[kKernelCount] = {"base",
                                                     "upsample",
                                                     "droplet_spawn",
                                                     "droplet_scatter",
                                                     "droplet_settle",
                                                     "droplet_land",
                                                     "droplet_close",
                                                     "thermal_slide",
                                                     "thermal_apply",
                                                     "rebound_rows",
                                                     "rebound_columns",
                                                     "pools_trace_begin",
                                                     "pools_trace",
                                                     "pools_fill_begin",
                                                     "pools_inherit",
                                                     "pools_fill",
                                                     "pools_close",
                                                     "fluvial_route",
                                                     "fluvial_gather",
                                                     "fluvial_incise",
                                                     "fluvial_close",
                                                     "snowball_spawn",
                                                     "snowball_scatter",
                                                     "snowball_settle",
                                                     "snowball_land",
                                                     "raindrop_spawn",
                                                     "raindrop_scatter",
                                                     "raindrop_settle",
                                                     "raindrop_land",
                                                     "blur",
                                                     "shore_rows",
                                                     "shore_columns",
                                                     "hydrology_scatter",
                                                     "hydrology_settle",
                                                     "vegetation_begin",
                                                     "vegetation_grow",
                                                     "vegetation_close",
                                                     "collision_spawn",
                                                     "collision_scatter",
                                                     "collision_settle",
                                                     "collision_land",
                                                     "export"};
  return kNames[static_cast<std::size_t>(kernel)];
}

std::vector<std::byte> PushConstants(const Dispatch& dispatch) {
  return std::visit(
      [&](const auto& params) {
        static_assert(sizeof(kernels::Pass) + sizeof(params) <= kMaxPushConstants);
        std::vector<std::byte> bytes(sizeof(kernels::Pass) + sizeof(params));
        std::memcpy(bytes.data(), &dispatch.pass, sizeof(kernels::Pass));
        std::memcpy(bytes.data() + sizeof(kernels::Pass), &params, sizeof(params));
        return bytes;
      },
      dispatch.params);
}

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
  return Recorder(program, shape, parent, blocks, options).Record();
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
