// What a backend executes: the dispatches of one level's program, as plain data. Backends differ in
// how they run a dispatch and in nothing else.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "server/backend/backend.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::backend {

// The stages of shaders/stages, by file.
enum class Kernel {
  kBase,
  kUpsample,
  kDropletSpawn,
  kDropletScatter,
  kDropletSettle,
  kDropletLand,
  kDropletClose,
  kThermalSlide,
  kThermalApply,
  kReboundRows,
  kReboundColumns,
  kPoolsTraceBegin,
  kPoolsTrace,
  kPoolsFillBegin,
  kPoolsInherit,
  kPoolsFill,
  kPoolsClose,
  kFluvialRoute,
  kFluvialGather,
  kFluvialIncise,
  kFluvialClose,
  kSnowballSpawn,
  kSnowballScatter,
  kSnowballSettle,
  kSnowballLand,
  kRaindropSpawn,
  kRaindropScatter,
  kRaindropSettle,
  kRaindropLand,
  kBlur,
  kShoreRows,
  kShoreColumns,
  kHydrologyScatter,
  kHydrologySettle,
  kVegetationBegin,
  kVegetationGrow,
  kVegetationClose,
  kCollisionSpawn,
  kCollisionScatter,
  kCollisionSettle,
  kCollisionLand,
  kExport,
};
inline constexpr int kKernelCount = static_cast<int>(Kernel::kExport) + 1;

// The stem of the kernel's file: "droplet_scatter".
std::string_view KernelName(Kernel kernel);

using KernelParams =
    std::variant<kernels::BaseParams, kernels::UpsampleParams, kernels::DropletParams,
                 kernels::ThermalParams, kernels::ReboundParams, kernels::PoolsParams,
                 kernels::InheritedSurfaceParams, kernels::FluvialParams, kernels::BlurParams,
                 kernels::SnowballParams, kernels::RaindropParams, kernels::ShoreParams,
                 kernels::HydrologyMoveParams, kernels::HydrologySettleParams,
                 kernels::VegetationParams, kernels::CollisionMoveParams,
                 kernels::CollisionSettleParams, kernels::ExportParams>;

// One dispatch: pass.width x rows invocations for each block. All of a dispatch's writes are
// seen by the next one.
struct Dispatch {
  Kernel kernel;
  kernels::Pass pass;
  int rows = 0;
  KernelParams params;
};

// The push constants of a dispatch: its pass, then its parameters. At most kMaxPushConstants bytes.
inline constexpr std::size_t kMaxPushConstants = 128;
std::vector<std::byte> PushConstants(const Dispatch& dispatch);

// The dispatches that belong together, one after the other: preparation, a stage, or the export.
struct Segment {
  // What it is called: "droplet".
  std::string_view stage;
  std::vector<Dispatch> dispatches;
  // Whether it goes on with what the segment before it began.
  bool continues = false;
};

// Cuts segments into so many parts, or fewer, of about the same number of invocations each: in
// order, dispatches whole.
std::vector<std::vector<Segment>> InParts(std::vector<Segment> segments, int parts);

// How a finished block's values lie: plane after plane, each row-major, then the tiles' deviations.
struct ResultLayout {
  int side = 0;
  int planes = 0;
  int deviation_at = 0;
  int tile_bits = 0;
  int tiles = 0;  // in a row
  int size = 0;   // values in all

  static ResultLayout Of(const world::BlockShape& shape, const LayerSet& layers);
};

// Records a level's program for `blocks` windows side by side. `parent` is the shape of the
// parents' results; it is not read at level 0. Each window's state has WindowSide()^2 vertices a
// plane; heights have two planes.
std::vector<Segment> Record(const world::LevelProgram& program, const world::BlockShape& shape,
                            const world::BlockShape& parent, int blocks, const RunOptions& options);

// Checks jobs against each other and finds where each window stands in its parent. INVALID_ARGUMENT
// if a parent is missing or too small, or shapes differ.
absl::StatusOr<std::vector<kernels::Job>> PlaceJobs(const world::LevelProgram& program,
                                                    const world::BlockShape& shape,
                                                    std::span<const Job> jobs);

}  // namespace thalweg::backend
