// Which layers stages read and write, and which layers a world therefore has.
#pragma once

#include "absl/status/status.h"
#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// What the levels of a world pass to their children: height, flow, the thickness of soft ground,
// and the water and vegetation that any stage of it writes.
LayerSet InheritedLayers(const v1::WorldSpec& spec);

// Of the layers that not every stage writes, those that some stage of the world writes.
LayerSet WrittenLayers(const v1::WorldSpec& spec);

// The layers that can be asked for: those that every world has, and others if a stage writes them.
// A sea too gives a world standing water.
LayerSet OfferedLayers(const v1::WorldSpec& spec);

// INVALID_ARGUMENT if a stage reads a layer that no stage wrote: before it in its level, or at
// every coarser one.
absl::Status CheckLayers(const v1::WorldSpec& spec);

}  // namespace thalweg::world
