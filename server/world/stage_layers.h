// Which layers stages read and write, and which layers a world therefore has.
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

}  // namespace thalweg::world
