// Specifications of worlds as people write them.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg {

// Reads JSON, which begins with a brace, or Protobuf's text form. INVALID_ARGUMENT names an unknown
// field or the place of a mistake.
absl::StatusOr<v1::WorldSpec> ParseWorldSpec(const std::string& specification);

}  // namespace thalweg
