// Stages that make a level's first ground: where in a specification they may stand.
#pragma once

#include "absl/status/status.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Such a stage is the only one of its rule, and no level of the rule comes from the base. A stage
// `ground` begins where the cells of its level resolve hillslopes. INVALID_ARGUMENT names the
// field's path.
absl::Status CheckStartingStages(const v1::WorldSpec& spec);

// Whether a level stands on the shown heights of its parent, since it or a coarser one starts with
// such a stage. False beyond the last level.
bool StandsOnShownHeights(const v1::WorldSpec& spec, int level);

// How many levels in a row, right above this one, start with such a stage.
int StartingStagesAbove(const v1::WorldSpec& spec, int level);

}  // namespace thalweg::world
