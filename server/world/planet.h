// Rules of a specification with a sphere, and values that follow from its radius.
#pragma once

#include "absl/status/status.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Cells of level 0 in a row of a planet's face.
inline constexpr int kFaceCells = 256;

// The side of level 0's cells on a sphere of this radius, in metres.
double FaceCellSizeM(double radius_m);

// Sets the cell size of a specification with a sphere. INVALID_ARGUMENT if it has a different one.
absl::Status SettleCellSize(v1::WorldSpec& spec);

// Checks that a sphere's specification has no fields for planes, nor a plane's any for spheres. The
// specification must have passed Normalise.
absl::Status CheckPlanet(const v1::WorldSpec& spec);

}  // namespace thalweg::world
