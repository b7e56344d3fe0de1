// Rules of a specification beyond the ranges of its fields.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// How high the rivers of a world would let mountains rise. An estimate, in metres, of what the
// steady slopes of all stages `rivers` add to the base, for basins of the usual shape (Hack 1957: a
// river is 1.7 times as long as the root of its area). 0 without rivers. The specification must
// have passed Normalise, its nodes CheckConstraints.
absl::StatusOr<double> ClimbM(const v1::WorldSpec& spec);

// INVALID_ARGUMENT, with the path of the rivers.steepness that adds the most, if the climb exceeds
// 16 km, or what base and detail leave of 32 km. Mountains above 16,384 m are flat.
absl::Status CheckClimb(const v1::WorldSpec& spec);

// The errors of single fields, in the order of the schema; names come first. Fills in every
// default, but only for a specification without errors all of them.
std::vector<absl::Status> FieldErrors(v1::WorldSpec& spec);

// Checks rules that ranges can't express: every level has a rule, the last level is not too fine,
// radii are powers of two, and curves run forward. The specification must have passed Normalise.
// INVALID_ARGUMENT names the field's path, its value and the expected one.
absl::Status CheckConstraints(const v1::WorldSpec& spec);

// The index of a level's rule; -1 if it has none.
int RuleOf(const v1::WorldSpec& spec, int level);

// Checks that the specification, with defaults filled in, is small enough to be kept and sent.
absl::Status CheckSize(const v1::WorldSpec& spec);

}  // namespace thalweg::world
