#include "server/backend/recording.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "proto/wire/tile_key.h"

namespace thalweg::backend {
namespace {

using kernels::Pass;

// A square of window vertices, first to last in both axes: where the state still equals the
// infinite field. Every stage leaves a smaller one.
struct Region {
  int first;
  int last;

  Region Inset(int cells) const { return {first + cells, last - cells}; }
};

// The whole of what is counted in parts of 65,536.
constexpr std::int64_t kWholeQ16 = 65536;
constexpr int kWhole = static_cast<int>(kWholeQ16);

// Builds the dispatches of one level.
class Recorder {
 public:
  Recorder(const world::LevelProgram& program, const world::BlockShape& shape,
           const world::BlockShape& parent, int blocks, const RunOptions& options)
      : program_(program), shape_(shape), parent_(parent), options_(options) {
    const int side = shape.WindowSide();
    region_ = {0, side - 1};
    pass_.stride = side;
    pass_.plane = side * side * blocks;
    pass_.seed_low = program.seed_low;
    pass_.seed_high = program.seed_high;
  }

  std::vector<Segment> Record() {
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

 private:
  void Begin() { segments_.emplace_back(); }

  // A dispatch over the vertices from (x0, y0) to (x1, y1), both included.
  void Dispatch(Kernel kernel, const KernelParams& params, int x0, int y0, int x1, int y1,
                int argument = 0, int before = 0) {
    if (x1 < x0 || y1 < y0) return;
    Pass pass = pass_;
    pass.x = x0;
    pass.y = y0;
    pass.width = x1 - x0 + 1;
    pass.argument = argument;
    pass.before = before;
    segments_.back().dispatches.push_back({kernel, pass, y1 - y0 + 1, params});
  }

  void Dispatch(Kernel kernel, const KernelParams& params, Region region, int argument = 0,
                int before = 0) {
    Dispatch(kernel, params, region.first, region.first, region.last, region.last, argument,
             before);
  }

  // The region after a stage that reaches so far. Without shrinking, every stage covers all that it
  // can, and only what is within the true region is exact.
  void Shrink(int cells) {
    if (options_.shrink_window) region_ = region_.Inset(cells);
  }

  void SwapHeights() { pass_.front = pass_.plane - pass_.front; }

  int Planes() const { return static_cast<int>(program_.planes.bits()); }
  // Values in a block of the parent buffer.
  int ParentSize() const {
    return program_.inherited.Count() * parent_.ResultSide() * parent_.ResultSide();
  }

  void Ground() {
    Begin();
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

  // The cells whose droplets matter, and the vertices that settle.
  struct DropletStep {
    Region fell;
    Region settled;
  };

  // Sets the live cells of a step of droplets, 0 to steps - 1.
  DropletStep BeginDropletStep(int step) {
    const int shrink = options_.shrink_window ? 1 : 0;
    // Droplets that can still come to a vertex that is settled in this step or later fell at most
    // as far from it as they have moved.
    const Region fell = region_.Inset(shrink * step);
    const Region settled = region_.Inset(shrink == 1 ? 2 * (step + 1) : 1);
    pass_.live_first = settled.first - 1;
    pass_.live_last = settled.last;
    return {{fell.first, fell.last - 1}, settled};
  }

  // The cells whose droplets land, and after it the vertices that close.
  DropletStep EndDropletSteps(int steps) {
    const Region fell = region_.Inset(options_.shrink_window ? steps : 0);
    Shrink(2 * steps + 1);
    return {{fell.first, fell.last - 1}, options_.shrink_window ? region_ : region_.Inset(1)};
  }

  void Add(const world::DropletStage& stage) {
    Begin();
    const kernels::DropletParams& params = stage.params;
    Dispatch(Kernel::kDropletSpawn, params, region_);
    int kept = kWhole;
    for (int i = 0; i < stage.steps; ++i) {
      const int before = kept;
      kept -= static_cast<int>((std::int64_t{kept} * stage.evaporation_q16) >> 16);
      const DropletStep step = BeginDropletStep(i);
      Dispatch(Kernel::kDropletScatter, params, step.fell, kept, before);
      Dispatch(Kernel::kDropletSettle, params, step.settled);
      SwapHeights();
    }
    const DropletStep end = EndDropletSteps(stage.steps);
    Dispatch(Kernel::kDropletLand, params, end.fell, kept);
    Dispatch(Kernel::kDropletClose, params, end.settled, (1 << 20) / stage.steps);
  }

  // They are born, land and close as droplets do, with water of their own.
  void Add(const world::HydrologyStage& stage) {
    Begin();
    Dispatch(Kernel::kDropletSpawn, stage.rain, region_);
    for (int i = 0; i < stage.steps; ++i) {
      const DropletStep step = BeginDropletStep(i);
      Dispatch(Kernel::kHydrologyScatter, stage.move, step.fell);
      Dispatch(Kernel::kHydrologySettle, stage.settle, step.settled);
      SwapHeights();
    }
    const DropletStep end = EndDropletSteps(stage.steps);
    Dispatch(Kernel::kDropletLand, stage.rain, end.fell, kWhole);
    Dispatch(Kernel::kDropletClose, stage.rain, end.settled, (1 << 20) / stage.steps);
  }

  void Add(const world::ThermalStage& stage) {
    Begin();
    for (int i = 0; i < stage.iterations; ++i) {
      Dispatch(Kernel::kThermalSlide, stage.params, region_.Inset(1));
      Dispatch(Kernel::kThermalApply, stage.params, region_.Inset(options_.shrink_window ? 2 : 1));
      Shrink(2);
    }
  }

  void Add(const world::ReboundStage& stage) {
    Begin();
    const Region inner = region_.Inset(stage.params.radius - 1);
    Dispatch(Kernel::kReboundRows, stage.params, inner.first, region_.first, inner.last,
             region_.last);
    Dispatch(Kernel::kReboundColumns, stage.params, inner);
    Shrink(stage.params.radius - 1);
  }

  // Finds the pits that catch water, and what is above them; gives the plane of the surfaces.
  int BeginFill(const world::PoolsStage& stage) {
    // Paths are not shrunk while they are followed: they must end inside the window.
    pass_.live_first = region_.first;
    pass_.live_last = region_.last;
    Dispatch(Kernel::kPoolsTraceBegin, stage.params, region_);
    int plane = 0;
    for (int i = 0; i < stage.trace_bits; ++i, plane = 1 - plane) {
      Dispatch(Kernel::kPoolsTrace, stage.params, region_, plane);
    }
    Dispatch(Kernel::kPoolsFillBegin, stage.params, region_, plane);
    Shrink((1 << stage.trace_bits) + 1);
    return 1 - plane;
  }

  // Begins from the parent's surface instead.
  int InheritSurface(const world::PoolsStage& stage) {
    kernels::InheritedSurfaceParams params{};
    params.freeboard = *stage.freeboard;
    params.sea_level = stage.params.sea_level;
    params.step = stage.params.step;
    params.roughness = stage.params.roughness;
    params.stream = stage.params.stream;
    params.planes = stage.params.planes;
    params.parent_side = parent_.ResultSide();
    params.parent_size = ParentSize();
    Dispatch(Kernel::kPoolsInherit, params, region_);
    return 0;
  }

  // Fills the depressions; gives the plane of the surfaces.
  int Fill(const world::PoolsStage& stage) {
    int plane = stage.freeboard ? InheritSurface(stage) : BeginFill(stage);
    for (int i = 0; i < stage.fills; ++i, plane = 1 - plane) {
      Dispatch(Kernel::kPoolsFill, stage.params, region_.Inset(1), plane);
      Shrink(1);
    }
    return plane;
  }

  void Add(const world::PoolsStage& stage) {
    Begin();
    const int plane = Fill(stage);
    Dispatch(Kernel::kPoolsClose, stage.params, region_, plane);
  }

  void Add(const world::FluvialStage& stage) {
    Begin();
    int plane = Fill(stage.filling);
    Dispatch(Kernel::kFluvialRoute, stage.params, region_.Inset(1), plane);
    plane = 1 - plane;
    Shrink(1);
    for (int i = 0; i < stage.gathers; ++i, plane = 1 - plane) {
      Dispatch(Kernel::kFluvialGather, stage.params, region_.Inset(1), plane);
      SwapHeights();
      Shrink(1);
    }
    for (int i = 0; i < stage.iterations; ++i) {
      Dispatch(Kernel::kFluvialIncise, stage.params, region_.Inset(1), plane);
      SwapHeights();
      Shrink(1);
    }
    Dispatch(Kernel::kFluvialClose, stage.params, region_, plane);
  }

  void Blur(const kernels::BlurParams& params) {
    Dispatch(Kernel::kBlur, params, region_.Inset(1));
    SwapHeights();
    Shrink(1);
  }

  void Add(const world::BlurStage& stage) {
    Begin();
    for (int i = 0; i < stage.iterations; ++i) Blur(stage.params);
  }

  // Those of `around` that stand in the window; all that do when the window does not shrink.
  Region Fell(Region window, Region around) const {
    if (!options_.shrink_window) return window;
    return {std::max(window.first, around.first), std::min(window.last, around.last)};
  }

  // Wash load and flow of movers of another kind than droplets.
  void Close(int grain_bits, int traffic_q16) {
    kernels::DropletParams params{};
    params.grain_bits = grain_bits;
    Dispatch(Kernel::kDropletClose, params, options_.shrink_window ? region_ : region_.Inset(1),
             traffic_q16);
  }

  void Add(const world::SnowballStage& stage) {
    Begin();
    const kernels::SnowballParams& params = stage.params;
    const Region cells{region_.first, region_.last - 1};
    Dispatch(Kernel::kSnowballSpawn, params, region_);
    for (int step = 0; step < stage.steps; ++step) {
      Shrink(stage.StepReach());
      const Region settled = options_.shrink_window ? region_ : region_.Inset(1);
      // The cells that have a corner in what is settled; all whose snowballs look into the window
      // when it does not shrink.
      const Region live = options_.shrink_window ? Region{settled.first - 1, settled.last}
                                                 : cells.Inset(stage.StepReach());
      pass_.live_first = live.first;
      pass_.live_last = live.last;
      const int ramp = static_cast<int>(std::min(std::int64_t{step} * stage.ramp_q16, kWholeQ16));
      Dispatch(Kernel::kSnowballScatter, params, Fell(cells, live.Inset(-step)), ramp);
      Dispatch(Kernel::kSnowballSettle, params, settled);
      SwapHeights();
    }
    Shrink(1);
    // They moved once less often, since what they left counts.
    const Region live{region_.first - 1, region_.last};
    Dispatch(Kernel::kSnowballLand, params, Fell(cells, live.Inset(1 - stage.steps)));
    Close(params.grain_bits, stage.traffic_q16);
  }

  void Add(const world::RaindropStage& stage) {
    Begin();
    const kernels::RaindropParams& params = stage.params;
    const Region window = region_;
    Dispatch(Kernel::kRaindropSpawn, params, region_);
    for (int step = 0; step < stage.steps; ++step) {
      Shrink(2);
      const Region settled = options_.shrink_window ? region_ : region_.Inset(1);
      // Drops offer where they stand or beside it.
      const Region live = options_.shrink_window ? settled.Inset(-1) : settled;
      pass_.live_first = live.first;
      pass_.live_last = live.last;
      Dispatch(Kernel::kRaindropScatter, params, Fell(window, live.Inset(-step)), step);
      Dispatch(Kernel::kRaindropSettle, params, settled);
      SwapHeights();
      if (stage.WindFollows(step)) Blur(stage.wind);
    }
    Shrink(kernels::kWashSpread);
    pass_.live_first = region_.first;
    pass_.live_last = region_.last;
    Dispatch(Kernel::kRaindropLand, params,
             Fell(window, region_.Inset(-stage.steps - kernels::kWashSpread)), stage.steps);
    Close(params.grain_bits, stage.traffic_q16);
  }

  void Add(const world::ShoreStage& stage) {
    Begin();
    const Region inner = region_.Inset(stage.params.radius);
    Dispatch(Kernel::kShoreRows, stage.params, inner.first, region_.first, inner.last,
             region_.last);
    Dispatch(Kernel::kShoreColumns, stage.params, inner);
    Shrink(stage.params.radius);
  }

  void Add(const world::VegetationStage& stage) {
    Begin();
    Dispatch(Kernel::kVegetationBegin, stage.params, region_.Inset(1));
    Shrink(1);
    int plane = 0;
    for (int i = 0; i < stage.iterations; ++i) {
      Dispatch(Kernel::kVegetationGrow, stage.params, region_.Inset(1), plane, i);
      plane = 1 - plane;
      Shrink(1);
    }
    Dispatch(Kernel::kVegetationClose, stage.params, region_, plane);
  }

  void Add(const world::CollisionStage& stage) {
    Begin();
    Dispatch(Kernel::kCollisionSpawn, stage.move, region_);
    for (int i = 0; i < stage.steps; ++i) {
      const DropletStep step = BeginDropletStep(i);
      const int lived = 256 * (i + 1) / stage.steps - 256 * i / stage.steps;
      Dispatch(Kernel::kCollisionScatter, stage.move, step.fell, lived);
      Dispatch(Kernel::kCollisionSettle, stage.settle, step.settled);
      SwapHeights();
    }
    const DropletStep end = EndDropletSteps(stage.steps);
    Dispatch(Kernel::kCollisionLand, stage.move, end.fell);
    // They counted the flow themselves.
    kernels::DropletParams close{};
    close.grain_bits = stage.settle.grain_bits;
    Dispatch(Kernel::kDropletClose, close, end.settled, 0);
  }

  void Export() {
    Begin();
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

  const world::LevelProgram& program_;
  const world::BlockShape& shape_;
  const world::BlockShape& parent_;
  const RunOptions& options_;
  Region region_{};
  Pass pass_{};
  std::vector<Segment> segments_;
};

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
        static_assert(sizeof(Pass) + sizeof(params) <= kMaxPushConstants);
        std::vector<std::byte> bytes(sizeof(Pass) + sizeof(params));
        std::memcpy(bytes.data(), &dispatch.pass, sizeof(Pass));
        std::memcpy(bytes.data() + sizeof(Pass), &params, sizeof(params));
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
