// Specifications of worlds as people write them: JSON, or Protobuf's text form.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {

// INVALID_ARGUMENT names an unknown field, or the place of a mistake. Of a field that stands
// elsewhere now it says where. The specification's values are not checked: the server does.
absl::StatusOr<v1::WorldSpec> WorldFromJson(const std::string& json);
absl::StatusOr<v1::WorldSpec> WorldFromText(const std::string& text);

}  // namespace thalweg::text
