// Specifications of worlds as text that people write: JSON, or Protobuf's text form.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {

// Reads a specification. INVALID_ARGUMENT names an unknown field, or the place of a mistake, and
// the new place of a field that has moved, or a node that is too deep. The server checks the
// values; these functions don't.
absl::StatusOr<v1::WorldSpec> WorldFromJson(const std::string& json);
absl::StatusOr<v1::WorldSpec> WorldFromText(const std::string& text);

}  // namespace thalweg::text
