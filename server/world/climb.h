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
// the range of heights: 16 km, or less if base and detail leave less.
absl::Status CheckClimb(const v1::WorldSpec& spec);

}  // namespace thalweg::world
