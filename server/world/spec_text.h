// Specifications as people write them: JSON, or Protobuf's text form.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Reads JSON. INVALID_ARGUMENT names an unknown field, or the place of a mistake. The
// specification's values are not checked: World::Create does.
absl::StatusOr<v1::WorldSpec> SpecFromJson(const std::string& json);

// Reads text form. INVALID_ARGUMENT names the first mistake's line and column.
absl::StatusOr<v1::WorldSpec> SpecFromText(const std::string& text);

// JSON that SpecFromJson reads back, with the field names of the schema.
std::string JsonOfSpec(const v1::WorldSpec& spec);

}  // namespace thalweg::world
