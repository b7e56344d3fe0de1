// How high the rivers of a world would let mountains rise.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// An estimate, in metres: what the steady slopes of level 0's rivers add to the base, for basins of
// the usual shape (Hack 1957: a river is 1.7 times as long as the root of its area). 0 where level
// 0 has no rivers. The specification must have passed Normalise, and its nodes CheckConstraints.
absl::StatusOr<double> ClimbM(const v1::WorldSpec& spec);

// INVALID_ARGUMENT, with the path of the steepness, if the climb exceeds the range of heights.
absl::Status CheckClimb(const v1::WorldSpec& spec);

}  // namespace thalweg::world
