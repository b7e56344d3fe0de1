// How high the rivers of a world would let mountains rise.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// An estimate, in metres, of what rivers' steady slopes add to the base at base_level, for basins
// of the usual shape (Hack 1957: a river is 1.7 times as long as the root of its area). 0 without
// rivers there. The specification must have passed Normalise, its nodes CheckConstraints.
absl::StatusOr<double> ClimbM(const v1::WorldSpec& spec);

// INVALID_ARGUMENT, with the path of rivers.steepness, if the climb exceeds the range of heights.
absl::Status CheckClimb(const v1::WorldSpec& spec);

}  // namespace thalweg::world
