// How high the rivers of a world would let mountains rise.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// An estimate, in metres, of what the steady slopes of all stages `rivers` add to the base, for
// basins of the usual shape (Hack 1957: a river is 1.7 times as long as the root of its area). 0
// without rivers. The specification must have passed Normalise, its nodes CheckConstraints.
absl::StatusOr<double> ClimbM(const v1::WorldSpec& spec);

// INVALID_ARGUMENT, with the path of the rivers.steepness that adds the most, if the climb exceeds
// 16 km, or what base and detail leave of 32 km. Mountains above 16,384 m are flat.
absl::Status CheckClimb(const v1::WorldSpec& spec);

}  // namespace thalweg::world
