#include "server/stages/shore.h"

namespace thalweg::stages {

ShoreStage Compile(const v1::Shore& shore, const LevelNumbers& level) {
  return {.params = {.radius = static_cast<int>(shore.radius()),
                     .sea_level = level.sea_level,
                     .planes = level.planes}};
}

LayerAccess AccessOf(const v1::Shore& /*shore*/, bool sea) {
  return {.reads = sea ? LayerSet() : LayerSet{Layer::kWater}, .writes = {Layer::kShore}};
}

// A row is searched this far to both sides, and then this many rows to both sides.
int Reach(const ShoreStage& stage) { return stage.params.radius; }

void Record(const ShoreStage& stage, Recorder& recorder) {
  const WindowRegion inner = recorder.Inner(Reach(stage));
  recorder.Dispatch(Kernel::kShoreRows, stage.params, inner, recorder.region());
  recorder.Dispatch(Kernel::kShoreColumns, stage.params, inner);
  recorder.Shrink(Reach(stage));
}

}  // namespace thalweg::stages
