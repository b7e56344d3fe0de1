#include "server/backend/reference/execute.h"

namespace thalweg::kernels {
// Each stage's file, compiled as the members of a struct: its buffers are the struct's.
// clang-format off
struct BaseStage : Bindings {
#include "shaders/stages/base.comp"
};
struct UpsampleStage : Bindings {
#include "shaders/stages/upsample.comp"
};
struct DropletSpawnStage : Bindings {
#include "shaders/stages/droplet_spawn.comp"
};
struct DropletScatterStage : Bindings {
#include "shaders/stages/droplet_scatter.comp"
};
struct DropletSettleStage : Bindings {
#include "shaders/stages/droplet_settle.comp"
};
struct DropletLandStage : Bindings {
#include "shaders/stages/droplet_land.comp"
};
struct DropletCloseStage : Bindings {
#include "shaders/stages/droplet_close.comp"
};
struct ThermalSlideStage : Bindings {
#include "shaders/stages/thermal_slide.comp"
};
struct ThermalApplyStage : Bindings {
#include "shaders/stages/thermal_apply.comp"
};
struct ReboundRowsStage : Bindings {
#include "shaders/stages/rebound_rows.comp"
};
struct ReboundColumnsStage : Bindings {
#include "shaders/stages/rebound_columns.comp"
};
struct PoolsTraceBeginStage : Bindings {
#include "shaders/stages/pools_trace_begin.comp"
};
struct PoolsTraceStage : Bindings {
#include "shaders/stages/pools_trace.comp"
};
struct PoolsFillBeginStage : Bindings {
#include "shaders/stages/pools_fill_begin.comp"
};
struct PoolsInheritStage : Bindings {
#include "shaders/stages/pools_inherit.comp"
};
struct PoolsFillStage : Bindings {
#include "shaders/stages/pools_fill.comp"
};
struct PoolsCloseStage : Bindings {
#include "shaders/stages/pools_close.comp"
};
struct FluvialRouteStage : Bindings {
#include "shaders/stages/fluvial_route.comp"
};
struct FluvialGatherStage : Bindings {
#include "shaders/stages/fluvial_gather.comp"
};
struct FluvialInciseStage : Bindings {
#include "shaders/stages/fluvial_incise.comp"
};
struct FluvialCloseStage : Bindings {
#include "shaders/stages/fluvial_close.comp"
};
struct SnowballSpawnStage : Bindings {
#include "shaders/stages/snowball_spawn.comp"
};
struct SnowballScatterStage : Bindings {
#include "shaders/stages/snowball_scatter.comp"
};
struct SnowballSettleStage : Bindings {
#include "shaders/stages/snowball_settle.comp"
};
struct SnowballLandStage : Bindings {
#include "shaders/stages/snowball_land.comp"
};
struct RaindropSpawnStage : Bindings {
#include "shaders/stages/raindrop_spawn.comp"
};
struct RaindropScatterStage : Bindings {
#include "shaders/stages/raindrop_scatter.comp"
};
struct RaindropSettleStage : Bindings {
#include "shaders/stages/raindrop_settle.comp"
};
struct RaindropLandStage : Bindings {
#include "shaders/stages/raindrop_land.comp"
};
struct BlurStage : Bindings {
#include "shaders/stages/blur.comp"
};
struct ShoreRowsStage : Bindings {
#include "shaders/stages/shore_rows.comp"
};
struct ShoreColumnsStage : Bindings {
#include "shaders/stages/shore_columns.comp"
};
struct HydrologyScatterStage : Bindings {
#include "shaders/stages/hydrology_scatter.comp"
};
struct HydrologySettleStage : Bindings {
#include "shaders/stages/hydrology_settle.comp"
};
struct VegetationBeginStage : Bindings {
#include "shaders/stages/vegetation_begin.comp"
};
struct VegetationGrowStage : Bindings {
#include "shaders/stages/vegetation_grow.comp"
};
struct VegetationCloseStage : Bindings {
#include "shaders/stages/vegetation_close.comp"
};
struct CollisionSpawnStage : Bindings {
#include "shaders/stages/collision_spawn.comp"
};
struct CollisionScatterStage : Bindings {
#include "shaders/stages/collision_scatter.comp"
};
struct CollisionSettleStage : Bindings {
#include "shaders/stages/collision_settle.comp"
};
struct CollisionLandStage : Bindings {
#include "shaders/stages/collision_land.comp"
};
struct ExportStage : Bindings {
#include "shaders/stages/export.comp"
};
// clang-format on
}  // namespace thalweg::kernels

namespace thalweg::backend {
namespace {

template <typename Stage>
void Sweep(const Dispatch& dispatch, const kernels::Bindings& bindings) {
  Stage stage{bindings};
  stage.pass = dispatch.pass;
  stage.params = std::get<decltype(stage.params)>(dispatch.params);
  for (int y = 0; y < dispatch.rows; ++y) {
    stage.gl_GlobalInvocationID.y = static_cast<glm::uint>(y);
    for (int x = 0; x < dispatch.pass.width; ++x) {
      stage.gl_GlobalInvocationID.x = static_cast<glm::uint>(x);
      stage.main();
    }
  }
}

void Execute(const Dispatch& dispatch, const kernels::Bindings& bindings) {
  switch (dispatch.kernel) {
    case Kernel::kBase:
      return Sweep<kernels::BaseStage>(dispatch, bindings);
    case Kernel::kUpsample:
      return Sweep<kernels::UpsampleStage>(dispatch, bindings);
    case Kernel::kDropletSpawn:
      return Sweep<kernels::DropletSpawnStage>(dispatch, bindings);
    case Kernel::kDropletScatter:
      return Sweep<kernels::DropletScatterStage>(dispatch, bindings);
    case Kernel::kDropletSettle:
      return Sweep<kernels::DropletSettleStage>(dispatch, bindings);
    case Kernel::kDropletLand:
      return Sweep<kernels::DropletLandStage>(dispatch, bindings);
    case Kernel::kDropletClose:
      return Sweep<kernels::DropletCloseStage>(dispatch, bindings);
    case Kernel::kThermalSlide:
      return Sweep<kernels::ThermalSlideStage>(dispatch, bindings);
    case Kernel::kThermalApply:
      return Sweep<kernels::ThermalApplyStage>(dispatch, bindings);
    case Kernel::kReboundRows:
      return Sweep<kernels::ReboundRowsStage>(dispatch, bindings);
    case Kernel::kReboundColumns:
      return Sweep<kernels::ReboundColumnsStage>(dispatch, bindings);
    case Kernel::kPoolsTraceBegin:
      return Sweep<kernels::PoolsTraceBeginStage>(dispatch, bindings);
    case Kernel::kPoolsTrace:
      return Sweep<kernels::PoolsTraceStage>(dispatch, bindings);
    case Kernel::kPoolsFillBegin:
      return Sweep<kernels::PoolsFillBeginStage>(dispatch, bindings);
    case Kernel::kPoolsInherit:
      return Sweep<kernels::PoolsInheritStage>(dispatch, bindings);
    case Kernel::kPoolsFill:
      return Sweep<kernels::PoolsFillStage>(dispatch, bindings);
    case Kernel::kPoolsClose:
      return Sweep<kernels::PoolsCloseStage>(dispatch, bindings);
    case Kernel::kFluvialRoute:
      return Sweep<kernels::FluvialRouteStage>(dispatch, bindings);
    case Kernel::kFluvialGather:
      return Sweep<kernels::FluvialGatherStage>(dispatch, bindings);
    case Kernel::kFluvialIncise:
      return Sweep<kernels::FluvialInciseStage>(dispatch, bindings);
    case Kernel::kFluvialClose:
      return Sweep<kernels::FluvialCloseStage>(dispatch, bindings);
    case Kernel::kSnowballSpawn:
      return Sweep<kernels::SnowballSpawnStage>(dispatch, bindings);
    case Kernel::kSnowballScatter:
      return Sweep<kernels::SnowballScatterStage>(dispatch, bindings);
    case Kernel::kSnowballSettle:
      return Sweep<kernels::SnowballSettleStage>(dispatch, bindings);
    case Kernel::kSnowballLand:
      return Sweep<kernels::SnowballLandStage>(dispatch, bindings);
    case Kernel::kRaindropSpawn:
      return Sweep<kernels::RaindropSpawnStage>(dispatch, bindings);
    case Kernel::kRaindropScatter:
      return Sweep<kernels::RaindropScatterStage>(dispatch, bindings);
    case Kernel::kRaindropSettle:
      return Sweep<kernels::RaindropSettleStage>(dispatch, bindings);
    case Kernel::kRaindropLand:
      return Sweep<kernels::RaindropLandStage>(dispatch, bindings);
    case Kernel::kBlur:
      return Sweep<kernels::BlurStage>(dispatch, bindings);
    case Kernel::kShoreRows:
      return Sweep<kernels::ShoreRowsStage>(dispatch, bindings);
    case Kernel::kShoreColumns:
      return Sweep<kernels::ShoreColumnsStage>(dispatch, bindings);
    case Kernel::kHydrologyScatter:
      return Sweep<kernels::HydrologyScatterStage>(dispatch, bindings);
    case Kernel::kHydrologySettle:
      return Sweep<kernels::HydrologySettleStage>(dispatch, bindings);
    case Kernel::kVegetationBegin:
      return Sweep<kernels::VegetationBeginStage>(dispatch, bindings);
    case Kernel::kVegetationGrow:
      return Sweep<kernels::VegetationGrowStage>(dispatch, bindings);
    case Kernel::kVegetationClose:
      return Sweep<kernels::VegetationCloseStage>(dispatch, bindings);
    case Kernel::kCollisionSpawn:
      return Sweep<kernels::CollisionSpawnStage>(dispatch, bindings);
    case Kernel::kCollisionScatter:
      return Sweep<kernels::CollisionScatterStage>(dispatch, bindings);
    case Kernel::kCollisionSettle:
      return Sweep<kernels::CollisionSettleStage>(dispatch, bindings);
    case Kernel::kCollisionLand:
      return Sweep<kernels::CollisionLandStage>(dispatch, bindings);
    case Kernel::kExport:
      return Sweep<kernels::ExportStage>(dispatch, bindings);
  }
}

}  // namespace

void Execute(std::span<const Segment> segments, const kernels::Bindings& bindings) {
  for (const Segment& segment : segments) {
    for (const Dispatch& dispatch : segment.dispatches) Execute(dispatch, bindings);
  }
}

}  // namespace thalweg::backend
