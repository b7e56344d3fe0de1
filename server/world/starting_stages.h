// Stages that make a level's first ground: where in a specification they may stand.
#pragma once

#include "absl/status/status.h"
#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// The layers that a world's levels pass to their children: height, flow, the thickness of soft
// ground, and the water and vegetation that a stage of the world writes.
LayerSet InheritedLayers(const v1::WorldSpec& spec);

// The layers that some stage of the world writes, without those that every stage writes.
LayerSet WrittenLayers(const v1::WorldSpec& spec);

// The layers that clients can request: those of every world, and those that a stage writes. A world
// with a sea has standing water too.
LayerSet OfferedLayers(const v1::WorldSpec& spec);

// INVALID_ARGUMENT if a stage reads a layer that was not written before: by an earlier stage of its
// level, or at every coarser level.
absl::Status CheckLayers(const v1::WorldSpec& spec);

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
