// Defaults and ranges of a specification, as its schema states them in the option
// (thalweg.v1.range): a new field needs no code here.
#pragma once

#include "absl/status/status.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {

// Fills in every default and checks every range, so that two specifications with the same meaning
// become equal. INVALID_ARGUMENT names the first invalid field's path, its value and the expected
// one; the specification is then partly filled in.
absl::Status Normalise(v1::WorldSpec& spec);

}  // namespace thalweg::text
