// Which layers stages read and write, and what follows for a world.
#pragma once

#include "absl/status/status.h"
#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// What the levels of a world pass to their children: height, flow, the thickness of soft ground,
// and the water and vegetation that any stage of it writes.
LayerSet InheritedLayers(const v1::WorldSpec& spec);

// The layers that any stage of a world writes, of those that not every stage writes.
LayerSet WrittenLayers(const v1::WorldSpec& spec);

// The layers that can be told apart from nothing: those that every world has, and of the others
// those that a stage writes. Standing water is there with a sea too.
LayerSet OfferedLayers(const v1::WorldSpec& spec);

// INVALID_ARGUMENT if a stage reads a layer that no stage wrote: before it in its level, or at
// every coarser one.
absl::Status CheckLayers(const v1::WorldSpec& spec);

}  // namespace thalweg::world
