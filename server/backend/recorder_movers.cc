// What falls, moves and carries: droplets, hydrology, collisions, snowballs and raindrops.
#include "server/backend/recorder.h"

namespace thalweg::backend {

Recorder::DropletStep Recorder::BeginDropletStep(int step) {
  const int shrink = options_.shrink_window ? 1 : 0;
  // Droplets that can still come to a vertex that is settled in this step or later fell at most
  // as far from it as they have moved.
  const Region fell = region_.Inset(shrink * step);
  const Region settled = region_.Inset(shrink == 1 ? 2 * (step + 1) : 1);
  pass_.live_first = settled.first - 1;
  pass_.live_last = settled.last;
  return {{fell.first, fell.last - 1}, settled};
}

Recorder::DropletStep Recorder::EndDropletSteps(int steps) {
  const Region fell = region_.Inset(options_.shrink_window ? steps : 0);
  Shrink(2 * steps + 1);
  return {{fell.first, fell.last - 1}, options_.shrink_window ? region_ : region_.Inset(1)};
}

void Recorder::Add(const world::DropletStage& stage) {
  Begin("droplet");
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

void Recorder::Add(const world::HydrologyStage& stage) {
  Begin("hydrology");
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

void Recorder::Add(const world::CollisionStage& stage) {
  Begin("collision");
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

Region Recorder::Fell(Region window, Region around) const {
  if (!options_.shrink_window) return window;
  return {std::max(window.first, around.first), std::min(window.last, around.last)};
}

void Recorder::Close(int grain_bits, int traffic_q16) {
  kernels::DropletParams params{};
  params.grain_bits = grain_bits;
  Dispatch(Kernel::kDropletClose, params, options_.shrink_window ? region_ : region_.Inset(1),
           traffic_q16);
}

void Recorder::Add(const world::SnowballStage& stage) {
  Begin("snowball");
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

void Recorder::Add(const world::RaindropStage& stage) {
  Begin("raindrop");
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

}  // namespace thalweg::backend
