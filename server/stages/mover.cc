#include "server/stages/mover.h"

#include <algorithm>

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"

namespace thalweg::stages {

kernels::uint Density(double density) {
  return static_cast<kernels::uint>(RoundedInt(density * kWholeQ16));
}

int TrafficQ16(std::uint32_t steps, double density) {
  return RoundedInt(kWholeQ16 * kBackgroundFlow / kernels::kTrafficPerMover / (steps * density));
}

DropletStep BeginDropletStep(Recorder& recorder, int step) {
  const int shrink = recorder.shrinks() ? 1 : 0;
  // A droplet that can still reach a vertex that settles in this or a later step is at most as far
  // from the cell where it fell as it has moved.
  const WindowRegion fell = recorder.region().Inset(shrink * step);
  const WindowRegion settled = recorder.region().Inset(shrink == 1 ? 2 * (step + 1) : 1);
  recorder.SetLiveMovers({settled.first - 1, settled.last});
  return {{fell.first, fell.last - 1}, settled};
}

DropletStep EndDropletSteps(Recorder& recorder, int steps) {
  const WindowRegion fell = recorder.region().Inset(recorder.shrinks() ? steps : 0);
  recorder.Shrink(DropletReach(steps));
  return {{fell.first, fell.last - 1}, recorder.written()};
}

WindowRegion Fell(const Recorder& recorder, WindowRegion window, WindowRegion around) {
  if (!recorder.shrinks()) return window;
  return {std::max(window.first, around.first), std::min(window.last, around.last)};
}

void CloseMovers(Recorder& recorder, int grain_bits, int traffic_q16) {
  kernels::DropletParams params{};
  params.grain_bits = grain_bits;
  recorder.Dispatch(Kernel::kDropletClose, params, recorder.written(), traffic_q16);
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
