// Rules of a specification beyond the ranges of its fields.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Checks rules that ranges can't express: every level has a rule, the last level is not too fine,
// radii are powers of two, and curves run forward. The specification must have passed Normalise.
// INVALID_ARGUMENT names the field's path, its value and the expected one.
absl::Status CheckConstraints(const v1::WorldSpec& spec);

// The index of a level's rule; -1 if it has none.
int RuleOf(const v1::WorldSpec& spec, int level);

// Checks that the specification, with defaults filled in, is small enough to be kept and sent.
absl::Status CheckSize(const v1::WorldSpec& spec);

}  // namespace thalweg::world
