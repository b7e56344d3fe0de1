#include "server/stages/thermal.h"

#include <algorithm>

#include "server/stages/host_math.h"

namespace thalweg::stages {
namespace {

constexpr double kSqrt2 = 1.4142135623730951;
// A bound above all differences of neighbours; with it the kernel's differences do not overflow.
constexpr double kLargestTalus = 1 << 28;

}  // namespace

ThermalStage Compile(const v1::Thermal& thermal, const LevelNumbers& level) {
  const double talus = TangentOfDegrees(thermal.talus_deg()) * level.cell_units;
  return {.iterations = static_cast<int>(thermal.iterations()),
          .params = {.talus = RoundedInt(std::min(talus, kLargestTalus)),
                     .diagonal_talus = RoundedInt(std::min(talus * kSqrt2, kLargestTalus)),
                     .rate = KernelFloat(thermal.rate() * 0.5)}};
}

// Two cells an iteration. A vertex gains from its neighbours (1), and where a neighbour's slide
// goes depends on its neighbours (2).
int Reach(const ThermalStage& stage) { return 2 * stage.iterations; }

void Record(const ThermalStage& stage, Recorder& recorder) {
  for (int i = 0; i < stage.iterations; ++i) {
    recorder.Dispatch(Kernel::kThermalSlide, stage.params, recorder.region().Inset(1));
    recorder.Exchange(kernels::kSeamSlide);
    recorder.Shrink(2);
    recorder.Dispatch(Kernel::kThermalApply, stage.params, recorder.written());
    recorder.Exchange(kernels::kSeamHeight);
  }
}

}  // namespace thalweg::stages
