// What the texts of a specification must be.
#pragma once

#include "absl/status/status.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {

// INVALID_ARGUMENT names the field, its value and the expected one.

// Checks only the pattern of the name.
absl::Status CheckName(const v1::WorldSpec& spec);

// Checks that the description is one line, and not too long.
absl::Status CheckDescription(const v1::WorldSpec& spec);

// Checks the coordinate reference system, if there is one.
absl::Status CheckGeoreference(const v1::WorldSpec& spec);

}  // namespace thalweg::text
