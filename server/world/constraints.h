// Rules of a specification beyond the ranges of its fields.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "proto/wire/world_name.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Checks rules that ranges can't express: that every level has a rule and its last one is not too
// fine, that radii are powers of two and that curves run forward. The specification must have
// passed Normalise. INVALID_ARGUMENT names the field's path, its value and what it must be.
absl::Status CheckConstraints(const v1::WorldSpec& spec);

// The index of a level's rule; -1: there is none.
int RuleOf(const v1::WorldSpec& spec, int level);

using wire::IsWorldName;

// Checks only the name's pattern.
absl::Status CheckName(const v1::WorldSpec& spec);

// That the description is one line, and not too long.
absl::Status CheckDescription(const v1::WorldSpec& spec);

// That the specification, with its defaults filled in, is not too large to be kept and sent.
absl::Status CheckSize(const v1::WorldSpec& spec);

}  // namespace thalweg::world
