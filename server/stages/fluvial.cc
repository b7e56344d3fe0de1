#include "server/stages/fluvial.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "server/stages/host_math.h"

namespace thalweg::stages {
namespace {

constexpr std::uint32_t kWayStream = 65536;
// The roughness of a way's step over filled ground: 2^-20 of a cell, times 0 to 225.
constexpr int kWayRoughnessBits = 20;
// The min slope of filled ground and of a carved way: 6 cm a km, as of a lowland river. It is the
// same at each level, so that water finds the parent's way again.
constexpr int kWayDescentBits = 14;

// A bound that no river reaches; with it the kernel's differences do not overflow.
constexpr double kDeepest = 1 << 28;

}  // namespace

FluvialStage Compile(const v1::Fluvial& fluvial, const LevelNumbers& level) {
  const double cell_units = level.cell_units;
  Filling filling = InheritedFilling(fluvial, 0, level);
  filling.params.step = std::max(1, DescentOf(cell_units, kWayDescentBits));
  filling.params.roughness = DescentOf(cell_units, kWayRoughnessBits);
  return {.filling = filling,
          .gathers = static_cast<int>(fluvial.drainage()),
          .iterations = static_cast<int>(fluvial.iterations()),
          .params = {.inverse_cell = KernelFloat(1.0 / cell_units),
                     .cell = KernelFloat(cell_units),
                     .erodibility = KernelFloat(fluvial.erodibility()),
                     .area_exponent = KernelFloat(fluvial.area_exponent()),
                     .limit = KernelFloat(fluvial.limit()),
                     .talus = KernelFloat(TangentOfDegrees(fluvial.talus_deg())),
                     .background_flow = kBackgroundFlow,
                     .depth = RoundedInt(std::min(fluvial.depth() * cell_units, kDeepest)),
                     .silt = HeldThickness(fluvial.silt() * cell_units),
                     .descent = filling.params.step,
                     .sea_level = level.sea_level,
                     .stream = kFillingStream + kWayStream + level.stream}};
}

// After the filling, a receiver is found among the neighbours (1) and does not change. Drainage and
// carving move one cell an iteration, and an incision reads its receiver's height: one cell each.
int Reach(const FluvialStage& stage) {
  return Reach(stage.filling) + 1 + stage.gathers + stage.iterations;
}

void Record(const FluvialStage& stage, Recorder& recorder) {
  int plane = Record(stage.filling, recorder);
  recorder.Dispatch(Kernel::kFluvialRoute, stage.params, recorder.region().Inset(1), plane);
  plane = 1 - plane;
  recorder.Shrink(1);
  recorder.Exchange(kernels::kSeamHeight | kernels::kSeamDrainage | MoversIn(plane), 1);
  for (int i = 0; i < stage.gathers; ++i, plane = 1 - plane) {
    recorder.Dispatch(Kernel::kFluvialGather, stage.params, recorder.region().Inset(1), plane);
    recorder.SwapHeights();
    recorder.Shrink(1);
    recorder.Exchange(kernels::kSeamHeight | MoversIn(1 - plane), 1);
  }
  for (int i = 0; i < stage.iterations; ++i) {
    recorder.Dispatch(Kernel::kFluvialIncise, stage.params, recorder.region().Inset(1), plane);
    recorder.SwapHeights();
    recorder.Shrink(1);
    recorder.Exchange(kernels::kSeamHeight, 1);
  }
  recorder.Dispatch(Kernel::kFluvialClose, stage.params, recorder.region(), plane);
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
